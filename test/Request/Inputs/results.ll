; Gradients that return what their number of arguments is, for results.c.
define { float } @pardiff.gradient.of_f(float) {
  %a = insertvalue { float } poison, float 1.0, 0
  ret { float } %a
}
define { float } @pardiff.gradient.of_f.1(float) {
  %a = insertvalue { float } poison, float 1.0, 0
  ret { float } %a
}
define { float, float } @pardiff.gradient.of_ff(float, float) {
  %a = insertvalue { float, float } poison, float 1.0, 0
  %b = insertvalue { float, float } %a, float 2.0, 1
  ret { float, float } %b
}
define { float, float } @pardiff.gradient.of_ff.2(float, float) {
  %a = insertvalue { float, float } poison, float 1.0, 0
  %b = insertvalue { float, float } %a, float 2.0, 1
  ret { float, float } %b
}
define { double, double } @pardiff.gradient.of_dd(double, double) {
  %a = insertvalue { double, double } poison, double 1.0, 0
  %b = insertvalue { double, double } %a, double 2.0, 1
  ret { double, double } %b
}
define { float, float, float } @pardiff.gradient.of_fff(float, float, float) {
  %a = insertvalue { float, float, float } poison, float 1.0, 0
  %b = insertvalue { float, float, float } %a, float 2.0, 1
  %c = insertvalue { float, float, float } %b, float 3.0, 2
  ret { float, float, float } %c
}
define { float, float, float } @pardiff.gradient.of_fff.3(float, float, float) {
  %a = insertvalue { float, float, float } poison, float 1.0, 0
  %b = insertvalue { float, float, float } %a, float 2.0, 1
  %c = insertvalue { float, float, float } %b, float 3.0, 2
  ret { float, float, float } %c
}
define { float, double } @pardiff.gradient.of_fd(float, double) {
  %a = insertvalue { float, double } poison, float 1.0, 0
  %b = insertvalue { float, double } %a, double 2.0, 1
  ret { float, double } %b
}
define { double, float } @pardiff.gradient.of_df(double, float) {
  %a = insertvalue { double, float } poison, double 1.0, 0
  %b = insertvalue { double, float } %a, float 2.0, 1
  ret { double, float } %b
}
define { float, float, double } @pardiff.gradient.of_ffd(float, float, double) {
  %a = insertvalue { float, float, double } poison, float 1.0, 0
  %b = insertvalue { float, float, double } %a, float 2.0, 1
  %c = insertvalue { float, float, double } %b, double 3.0, 2
  ret { float, float, double } %c
}
define { double, double, double } @pardiff.gradient.of_ddd(double, double, double) {
  %a = insertvalue { double, double, double } poison, double 1.0, 0
  %b = insertvalue { double, double, double } %a, double 2.0, 1
  %c = insertvalue { double, double, double } %b, double 3.0, 2
  ret { double, double, double } %c
}
define { i32, float } @pardiff.gradient.of_i_f(float) {
  %a = insertvalue { i32, float } poison, i32 7, 0
  %b = insertvalue { i32, float } %a, float 1.0, 1
  ret { i32, float } %b
}
define { i32, double } @pardiff.gradient.of_i_d(double) {
  %a = insertvalue { i32, double } poison, i32 7, 0
  %b = insertvalue { i32, double } %a, double 1.0, 1
  ret { i32, double } %b
}
