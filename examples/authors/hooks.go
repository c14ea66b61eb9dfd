// Package hooks lets a server of the Go SDK 1.7 declare hooks: server.AddReceivingMiddleware(hooks.Declare(list)).
package hooks

import (
	"context"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"slices"
)

type object = map[string]any

func Declare(hooks []object) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, req)
			if answer, ok := result.(*mcp.InitializeResult); ok && err == nil {
				add(answer.Capabilities, hooks, req.(*mcp.ServerRequest[*mcp.InitializeParams]).ClientCapabilities())
			} else if answer, ok := result.(*mcp.DiscoverResult); ok && err == nil {
				add(answer.Capabilities, hooks, req.(*mcp.ServerRequest[*mcp.DiscoverParams]).ClientCapabilities())
			}
			return result, err
		}
	}
}

// The extension allows conditions ("when"). mcphooks needs no other place, and the SDK has none for `hooks`.
func add(server *mcp.ServerCapabilities, hooks []object, client *mcp.ClientCapabilities) {
	const own = "io.github.mcphooks/hooks"
	if client == nil {
		return
	}
	for _, said := range []any{client.Experimental["hooks"], client.Extensions[own]} {
		if settings, ok := said.(object); ok {
			events, some := settings["supported_events"].([]any)
			unknown := func(hook object) bool { return some && !slices.Contains(events, hook["event"]) }
			server.AddExtension(own, object{"declarations": slices.DeleteFunc(slices.Clone(hooks), unknown)})
		}
	}
}
