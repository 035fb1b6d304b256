#include "textflag.h"

// func ask(call, a1, a2, a3, a4, a5, a6 uintptr) (result uintptr)
TEXT ·ask(SB), NOSPLIT, $0-64
	MOVQ call+0(FP), AX
	MOVQ a1+8(FP), DI
	MOVQ a2+16(FP), SI
	MOVQ a3+24(FP), DX
	MOVQ a4+32(FP), R10
	MOVQ a5+40(FP), R8
	MOVQ a6+48(FP), R9
	SYSCALL
	MOVQ AX, result+56(FP)
	RET
