"""Lets a server of the Python SDK 2.x declare hooks, for `MCPServer` and the low-level `Server` alike:

    server.middleware.append(declare_hooks([{"event": ..., "context": ..., "priority": ...}]))
"""
OWN = "io.github.mcphooks/hooks"  # the one place where a hook may have conditions ("when")
PLACES = (("hooks",), ("experimental", "hooks"), ("extensions", OWN))
EVENTS = ("session_start", "pre_request", "pre_tool_use", "post_tool_use", "post_request", "session_end")
CLIENT = {"initialize": ("capabilities",), "server/discover": ("_meta", "io.modelcontextprotocol/clientCapabilities")}

def at(value, path):
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value

def announced(capabilities):
    """The events that a client supports; None if it has no hooks."""
    said = [found for place in PLACES if isinstance(found := at(capabilities, place), dict)]
    return [event for one in said for event in one.get("supported_events", EVENTS)] if said else None

def hooks_capabilities(hooks, events=EVENTS):
    own = [hook for hook in hooks if hook["event"] in events]
    kept = [hook for hook in own if at(hook, ("when", "otherwise")) != "drop"]
    plain = {"declarations": [{key: hook[key] for key in hook if key != "when"} for hook in kept]}
    return {"hooks": plain, "experimental": {"hooks": plain}, "extensions": {OWN: {"declarations": own}}}

def declare_hooks(hooks):
    async def middleware(ctx, call_next):
        result = await call_next(ctx)
        events = announced(at(ctx.params, CLIENT[ctx.method])) if ctx.method in CLIENT else None
        if events is None:
            return result
        before = result["capabilities"]
        after = {**before, **hooks_capabilities(hooks, events)}
        for key in ("experimental", "extensions"):
            after[key] = {**(before.get(key) or {}), **after[key]}
        return {**result, "capabilities": after}

    return middleware
