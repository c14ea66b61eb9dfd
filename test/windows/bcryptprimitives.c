/*
 * The one function of bcryptprimitives.dll that programs in Rust and Zig import, for a Wine that has no such file (before
 * version 9): it fills a buffer with random bytes.
 */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length) {
  return SystemFunction036(buffer, (ULONG)length) ? TRUE : FALSE;
}
