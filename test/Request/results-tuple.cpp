// libstdc++ lays std::tuple out backwards, so its parts cannot be told apart; std::pair
// and std::array are fine.
// RUN: %plain-clang -O0 -S -emit-llvm %s -o - | %opt -passes='print<pardiff-requests>' -disable-output | %FileCheck %s

#include <array>
#include <pardiff/pardiff.h>
#include <tuple>

static double f(double x, double y) { return x * y; }

// CHECK: request in {{.*}}pair
std::pair<double, double> pair() {
  return __pardiff_autodiff<std::pair<double, double>>(f, 1.0, 2.0);
}
// CHECK: request in {{.*}}array
std::array<double, 2> array() {
  return __pardiff_autodiff<std::array<double, 2>>(f, 1.0, 2.0);
}
// CHECK: refused in {{.*}}tuple{{.*}}; the layout of std::tuple is not defined; declare a structure
std::tuple<double, double> tuple() {
  return __pardiff_autodiff<std::tuple<double, double>>(f, 1.0, 2.0);
}
