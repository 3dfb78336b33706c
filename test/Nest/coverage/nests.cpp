// Nests in the ways in which C++ programs write them.
// RUN: %python %root/scripts/coverage.py --check --plugin=%plugin --llvm=%llvm-tools \
// RUN:   --opt=%llvm-tools/opt --clangxx=clang++ %s

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <vector>

namespace {

struct Matrix {
  double *data;
  std::size_t rows, columns;
  double &operator()(std::size_t i, std::size_t j) { return data[i * columns + j]; }
  double operator()(std::size_t i, std::size_t j) const { return data[i * columns + j]; }
};

struct Field {
  double *data;
  int nx, ny;
  double &at(int i, int j) const { return data[j * nx + i]; }
};

template <class T> struct Span {
  T *__restrict p;
  long n;
  T &operator[](long i) const { return p[i]; }
};

template <class F> void forEach(int n, F f) {
  for (int i = 0; i < n; i++)
    f(i);
}

struct Base {
  virtual ~Base() = default;
  virtual double value(double x) const = 0;
};

} // namespace

extern "C" {

//= one nest: vectors with flat subscripts
void vectors(const std::vector<double> &A, std::vector<double> &C, std::size_t n) {
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t j = 0; j < n; j++)
      C[i * n + j] += A[i * n + j] * A[j];
}

//= one nest: the size of a vector
void vectorSize(const std::vector<double> &a, std::vector<double> &b) {
  for (std::size_t i = 0; i < a.size(); i++)
    b[i] = a[i] * a[i];
}

//= one nest: a loop over the elements of a vector
double rangeFor(const std::vector<double> &a) {
  double s = 0;
  for (double v : a)
    s += v * v;
  return s;
}

//= one nest: an algorithm of the library
double innerProduct(const std::vector<double> &a, const std::vector<double> &b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

//= one nest: transform with a lambda and a function of libm
void transformed(const std::vector<double> &a, std::vector<double> &b) {
  std::transform(a.begin(), a.end(), b.begin(), [](double v) { return std::exp(v) * 2; });
}

//= one nest: a local vector
double localVector(const double *x, int n) {
  std::vector<double> t(n);
  for (int i = 0; i < n; i++)
    t[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < n; i++)
    s += t[i] * t[n - 1 - i];
  return s;
}

//= one nest: a buffer from new
double localArray(const double *x, int n) {
  double *t = new double[n];
  for (int i = 0; i < n; i++)
    t[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < n; i++)
    s += t[i] * x[n - 1 - i];
  delete[] t;
  return s;
}

//= one nest: a matrix class by reference
void matrices(const Matrix &A, const Matrix &B, Matrix &C) {
  for (std::size_t i = 0; i < A.rows; i++)
    for (std::size_t j = 0; j < B.columns; j++) {
      double s = 0;
      for (std::size_t k = 0; k < A.columns; k++)
        s += A(i, k) * B(k, j);
      C(i, j) = s;
    }
}

//= one nest: a field class with int sizes, by value
void fields(Field u, Field v) {
  for (int j = 1; j < u.ny - 1; j++)
    for (int i = 1; i < u.nx - 1; i++)
      v.at(i, j) = u.at(i - 1, j) * u.at(i + 1, j) + u.at(i, j - 1) + u.at(i, j + 1);
}

//= one nest: lambdas that capture by reference
void lambdas(int n, const double *__restrict x, double *__restrict y) {
  auto f = [&](int i) { return x[i] * x[i] + n; };
  forEach(n, [&](int i) { y[i] = f(i) * f(i); });
}

//= one nest: std::array
void arrays(const std::array<std::array<double, 8>, 8> &A, std::array<double, 8> &y) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      y[i] += A[i][j] * A[j][i];
}

//= one nest: std::max and std::min
void clamped(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = std::max(std::min(x[i], 1.0), -1.0);
}

//= one nest: a template over float with restrict members
void spans(Span<float> a, Span<float> b) {
  for (long i = 0; i < a.n; i++)
    b[i] = a[i] * b[i];
}

//= refused PointerChanges: a vector of vectors
void vectorOfVectors(const std::vector<std::vector<double>> &A, std::vector<double> &y) {
  for (std::size_t i = 0; i < A.size(); i++)
    for (std::size_t j = 0; j < y.size(); j++)
      y[i] += A[i][j] * A[i][j];
}

//= refused IndirectCall: a virtual function
void virtualCall(int n, const Base &f, double *x) {
  for (int i = 0; i < n; i++)
    x[i] = f.value(x[i]);
}
}
