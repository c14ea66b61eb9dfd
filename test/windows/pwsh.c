/* pwsh.exe for Wine, which has no PowerShell: starts node with pwsh.mjs, beside which it is told where node is.
   x86_64-w64-mingw32-gcc -municode -O2 -static -o pwsh.exe pwsh.c
   PWSH_NODE and PWSH_SCRIPT in its environment: paths of node.exe and of pwsh.mjs. */
#include <windows.h>
#include <stdio.h>
#include <wchar.h>

int wmain(void) {
  static wchar_t node[32768], script[32768], line[65536];
  if (!GetEnvironmentVariableW(L"PWSH_NODE", node, 32768) || !GetEnvironmentVariableW(L"PWSH_SCRIPT", script, 32768))
    return 97;
  /* What follows the program's own name stays as it was quoted. */
  wchar_t *rest = GetCommandLineW();
  int quoted = 0;
  for (; *rest && (quoted || (*rest != L' ' && *rest != L'\t')); rest++)
    if (*rest == L'"') quoted = !quoted;
  if (wcslen(node) + wcslen(script) + wcslen(rest) + 8 > 65536) return 98;
  swprintf(line, 65536, L"\"%ls\" \"%ls\"%ls", node, script, rest);
  STARTUPINFOW start = {sizeof start};
  PROCESS_INFORMATION child;
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
  start.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
  start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
  if (!CreateProcessW(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child)) return 99;
  WaitForSingleObject(child.hProcess, INFINITE);
  DWORD code = 96;
  GetExitCodeProcess(child.hProcess, &code);
  return (int)code;
}
