; A zero extension of what is not negative is a sign extension.
; RUN: %opt -passes=pardiff-prefer-sext -S %s | %FileCheck %s

; CHECK-LABEL: @flag
; CHECK: sext i32 %n to i64
define i64 @flag(i32 %n) {
  %a = zext nneg i32 %n to i64
  ret i64 %a
}

; CHECK-LABEL: @unknown
; CHECK: zext i32 %n to i64
define i64 @unknown(i32 %n) {
  %a = zext i32 %n to i64
  ret i64 %a
}

; The branch says so.
; CHECK-LABEL: @guarded
; CHECK: then:
; CHECK-NEXT: sext i32 %n to i64
; CHECK: else:
; CHECK-NEXT: zext i32 %n to i64
define i64 @guarded(i32 %n) {
  %c = icmp sgt i32 %n, 0
  br i1 %c, label %then, label %else
then:
  %a = zext i32 %n to i64
  ret i64 %a
else:
  %b = zext i32 %n to i64
  ret i64 %b
}

; CHECK-LABEL: @bool
; CHECK: zext i1 %c to i64
define i64 @bool(i1 %c) {
  %a = zext i1 %c to i64
  ret i64 %a
}
