# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Features of C: name -> text of a double feature(double *x, int n) with what it needs.

A text that begins with "REFUSED: " must not compile; the rest of that line is part of the
error's sentence."""

FEATURES = {
    "union_view": """
union View { double d[2]; struct { double re, im; } z; };
static double feature(double *x, int n) {
  union View v; double s = 0;
  for (int i = 0; i + 1 < n; i++) { v.d[0] = x[i]; v.d[1] = x[i + 1]; s += v.z.re * v.z.im; }
  return s;
}""",
    "union_tagged": """
struct Tagged { int tag; union { double d; int i; } u; };
static double value(const struct Tagged *t) { return t->tag ? t->u.d : t->u.i; }
static double feature(double *x, int n) {
  struct Tagged t[8]; double s = 1;
  for (int i = 0; i < n; i++) { t[i].tag = i & 1; if (i & 1) t[i].u.d = x[i] * x[0]; else t[i].u.i = i; }
  for (int i = 0; i < n; i++) s += s * value(&t[i]) * 0.1;
  return s;
}""",
    "bit_fields": """
struct Flags { unsigned use : 1, power : 3; double w; };
static double feature(double *x, int n) {
  struct Flags f[8]; double s = 0;
  for (int i = 0; i < n; i++) { f[i].use = i % 3 != 0; f[i].power = i % 5; f[i].w = x[i]; }
  for (int i = 0; i < n; i++) { double p = 1; for (unsigned k = 0; k < f[i].power; k++) p *= f[i].w; if (f[i].use) s += p * x[0]; }
  return s;
}""",
    "vla": """
static double feature(double *x, int n) {
  double a[n][n + 1], s = 0;
  for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) a[i][j] = x[i] * x[j % n];
  for (int i = 0; i < n; i++) s += a[i][n - i] * a[n - 1 - i][i];
  return s;
}""",
    "vla_in_loop": """
static double feature(double *x, int n) {
  double s = 0.5;
  for (int k = 1; k < n; k++) { double v[k]; for (int i = 0; i < k; i++) v[i] = x[i] * s; s = 0.3 * v[k - 1] * v[0] + x[k]; }
  return s;
}""",
    "switch_fallthrough": """
static double feature(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double t = x[i];
    switch (i % 5) { case 0: t *= x[0]; case 1: t *= t; break; case 3: s -= t; default: t += s * 0.5; }
    s += t;
  }
  return s;
}""",
    "switch_big": """
static double feature(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++)
    switch ((i * 37) % 101) { case 0: s += x[i]; break; case 37: s *= x[i]; break; case 74: s -= x[i] * s; continue; case 10: s += 2 * x[i] * x[i]; break; case 47: return s * x[i]; default: s *= 1.1; }
  return s;
}""",
    "duff": """
static double feature(double *x, int n) {
  double s = 0; int i = 0, rounds = (n + 3) / 4;
  switch (n % 4) { case 0: do { s += x[i] * x[i] * (i + 1); i++; case 3: s += x[i] * s; i++; case 2: s += sin(x[i]); i++; case 1: s += x[i]; i++; } while (--rounds > 0); }
  return s;
}""",
    "goto_forward": """
static double feature(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) { if (x[i] > 1) goto big; s += x[i]; goto next; big: s += x[i] * x[i]; next:; if (s > 100) goto out; }
out:
  return s * s;
}""",
    "goto_irreducible": """
static double feature(double *x, int n) {
  int i = 0; double s = 1;
  if (x[0] < 0.9) goto middle;
top:
  s *= x[i % n];
middle:
  s += x[(i + 1) % n] * s;
  if (++i < 9) goto top;
  return s;
}""",
    "goto_irreducible_two": """
static double feature(double *x, int n) {
  int i = 0; double s = x[0];
  if (n & 1) goto b;
a: s += sin(s) * x[i % n]; i++; if (i > 11) return s;
   if (i % 3 == 0) goto c;
b: s = s * x[(i + 2) % n] + 1; i++; if (i > 13) return s; if (i % 4 == 1) goto a;
c: s *= 0.9 + 0.1 * x[(i + 1) % n]; i++; if (i < 10) goto b;
   goto a;
}""",
    "goto_backward": """
static double feature(double *x, int n) {
  int i = 0; double s = 0;
again:
  s += x[i] * s + x[i];
  if (++i < n) goto again;
  return s;
}""",
    "computed_goto": """REFUSED: computed jumps are not supported
static double feature(double *x, int n) {
  static void *const table[] = {&&a, &&b, &&end}; int i = 0; double s = 0;
  goto *table[0];
a: s += x[i++]; goto *table[i < n ? i % 2 : 2];
b: s *= x[i++]; goto *table[i < n ? i % 2 : 2];
end: return s;
}""",
    "setjmp": """REFUSED: return twice
#include <setjmp.h>
static jmp_buf jump;
static double feature(double *x, int n) { double s = 0; if (setjmp(jump)) return s; for (int i = 0; i < n; i++) s += x[i] * x[i]; if (s > 1e9) longjmp(jump, 1); return s; }
""",
    "varargs_own": """REFUSED: variable arguments
#include <stdarg.h>
static double sum(int n, ...) { va_list a; va_start(a, n); double s = 0; for (int i = 0; i < n; i++) s += va_arg(a, double); va_end(a); return s; }
static double feature(double *x, int n) { return sum(3, x[0], x[1] * x[1], x[2]); }""",
    "inline_asm": """REFUSED: inline assembly
static double feature(double *x, int n) { double s = x[0]; __asm__("mulsd %1, %0" : "+x"(s) : "x"(x[1])); return s; }""",
    "atomics": """REFUSED: atomic
#include <stdatomic.h>
static double feature(double *x, int n) { _Atomic double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return s; }""",
    "volatile_access": """REFUSED: volatile
static double feature(double *x, int n) { volatile double s = 0; for (int i = 0; i < n; i++) s = s + x[i] * x[i]; return s; }""",
    "unknown_extern": """REFUSED: no definition that can be differentiated
double mystery(double);
static double feature(double *x, int n) { return mystery(x[0]) * x[1]; }
double (*keep)(double) = 0;""",
    "unknown_pure": """REFUSED: no definition that can be differentiated
double total(const double *, int) __attribute__((pure));
static double feature(double *x, int n) { return total(x, n) * x[1]; }""",
    "unknown_void": """REFUSED: no definition that can be differentiated
void scale(double *, int);
static double feature(double *x, int n) { scale(x, n); return x[0] * x[1]; }""",
    "qsort": """REFUSED: no definition that can be differentiated
static int compare(const void *a, const void *b) { double p = *(const double *)a, q = *(const double *)b; return (p > q) - (p < q); }
static double feature(double *x, int n) { qsort(x, n, sizeof *x, compare); double s = 0; for (int i = 0; i < n; i++) s += x[i] * i; return s; }""",
    "mantissa_bits": """REFUSED: the bits of a floating-point value
static double feature(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) { long long b; memcpy(&b, &x[i], 8); b += 1LL << 52; double d; memcpy(&d, &b, 8); s += d * x[0]; } return s; }""",
    "struct_by_value": """
struct Vec { double x, y, z; };
static struct Vec cross(struct Vec a, struct Vec b) { return (struct Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
static double feature(double *x, int n) {
  struct Vec a = {x[0], x[1], x[2]}, b = {x[3], x[4], x[5]}, c = cross(a, b), d = cross(c, a);
  return c.x + d.y * d.z;
}""",
    "struct_small_by_value": """
struct Pair { double a; float b; int k; };
static struct Pair step(struct Pair p, double u) { p.a += p.b * u; p.b *= 1.5f; p.k++; return p; }
static double feature(double *x, int n) { struct Pair p = {x[0], 0.5f, 0}; for (int i = 1; i < n; i++) p = step(p, x[i]); return p.a * p.k; }""",
    "struct_nested": """
struct In { double v[3]; int n; }; struct Out { struct In in[2]; double *p; };
static double feature(double *x, int n) {
  struct Out o; o.p = x; for (int k = 0; k < 2; k++) { o.in[k].n = 3; for (int i = 0; i < 3; i++) o.in[k].v[i] = x[i + k] * (k + 1); }
  struct Out copy = o; copy.in[0] = o.in[1]; double s = 0;
  for (int i = 0; i < 3; i++) s += copy.in[0].v[i] * o.in[0].v[i] * copy.p[i];
  return s;
}""",
    "struct_recursive_by_value": """
struct State { double a, b, c, d; };
static struct State go(struct State s, int k) { if (k == 0) return s; s.a += s.b * s.c; s.b *= s.d; struct State t = go(s, k - 1); t.c += t.a * 0.1; return t; }
static double feature(double *x, int n) { struct State s = {x[0], x[1], x[2], x[3]}; s = go(s, 4); return s.a + s.b * s.c; }""",
    "flexible_array": """
struct Flex { int n; double v[]; };
static double feature(double *x, int n) {
  struct Flex *f = malloc(sizeof *f + n * sizeof(double)); f->n = n; double s = 0;
  for (int i = 0; i < n; i++) f->v[i] = x[i] * x[i];
  for (int i = 0; i < f->n; i++) s += f->v[i] * f->v[(i + 1) % f->n];
  free(f); return s;
}""",
    "complex_numbers": """
#include <complex.h>
static double feature(double *x, int n) {
  double complex z = x[0] + x[1] * I, w = 1;
  for (int i = 2; i < n; i++) { w = w * z + x[i]; z = z / (1 + w * conj(w)); }
  return creal(w) + cabs(z) + carg(w) + cimag(cexp(z) * csqrt(w));
}""",
    "complex_float": """
#include <complex.h>
static double feature(double *x, int n) {
  float complex z = (float)x[0] + (float)x[1] * I; z *= z; z /= 1.5f + 0.5f * I; return 4 * crealf(z) + cimagf(z) * x[2];
}""",
    "long_double": """
static double feature(double *x, int n) { long double s = 1; for (int i = 0; i < n; i++) s = s * x[i] + sqrtl(x[i] + s * s); return (double)s; }""",
    "mixed_precision": """
static double feature(double *x, int n) { float f = 0; double d = 0; long double l = 1; for (int i = 0; i < n; i++) { d += x[i] * x[i]; l *= x[i]; } f = (float)n; return d * (double)l + f; }""",
    "half": """
static double feature(double *x, int n) { double s = 0; _Float16 h = (_Float16)2; for (int i = 0; i < n; i++) { s += x[i] * (double)h * x[0]; h = h * (_Float16)1.5; } return s; }""",
    "float128": """
static double feature(double *x, int n) { __float128 s = 1; for (int i = 0; i < n; i++) s = s * x[i] + x[0]; return (double)s; }""",
    "int_conversions": """
static double feature(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) { int k = (int)(x[i] * 10); unsigned char c = (unsigned char)k; s += x[i] * c + (long long)(x[i] * 3) * x[0]; } return s; }""",
    "restrict_pointers": """
static void axpy(int n, const double *restrict a, double *restrict b) { for (int i = 0; i < n; i++) b[i] += a[i] * a[i]; }
static double feature(double *x, int n) { double b[8] = {0}, s = 0; axpy(n, x, b); axpy(n, b, x); for (int i = 0; i < n; i++) s += x[i]; return s; }""",
    "ext_vectors": """
typedef double V4 __attribute__((ext_vector_type(4)));
static double feature(double *x, int n) {
  V4 v = {x[0], x[1], x[2], x[3]}, w = v.wzyx * 2.0 + 1.0;
  for (int i = 0; i < 3; i++) { v = v * w + v.xxyy; w.x += v.w; w = v > w ? v : w; }
  return v.x * w.y + v.z + w[n % 4];
}""",
    "vector_reduce": """
typedef double V4 __attribute__((ext_vector_type(4)));
static double feature(double *x, int n) {
  V4 v = {x[0], x[1], x[2], x[3]}; v = __builtin_elementwise_max(v, v.yzwx) * v; v = __builtin_elementwise_sin(v);
  return __builtin_reduce_max(v) + v.x * v.y + __builtin_elementwise_abs(v.z - 5);
}""",
    "vector_float": """
typedef float V8 __attribute__((ext_vector_type(8)));
static double feature(double *x, int n) { V8 v = 0; for (int i = 0; i < 8; i++) v[i] = i + 1; double s = 0; v = v * v - 1.0f; for (int i = 0; i < n; i++) s += v[i] * x[i] * x[0]; return s; }""",
    "vector_memory": """
typedef double V2 __attribute__((vector_size(16), aligned(8)));
static double feature(double *x, int n) { V2 s = {0, 1}; for (int i = 0; i + 1 < n; i += 2) { V2 v = *(V2 *)(x + i); s = s * 0.5 + v * v * s[1]; *(V2 *)(x + i) = s; } return s[0] * s[1] + x[0]; }""",
    "sse": """
#include <emmintrin.h>
static double feature(double *x, int n) {
  __m128d s = _mm_set1_pd(0), m = _mm_set1_pd(-0.0);
  for (int i = 0; i + 1 < n; i += 2) { __m128d v = _mm_loadu_pd(x + i), a = _mm_andnot_pd(m, v), g = _mm_cmpgt_pd(v, _mm_set1_pd(1)); s = _mm_add_pd(s, _mm_or_pd(_mm_and_pd(g, _mm_mul_pd(v, a)), _mm_andnot_pd(g, v))); }
  double r[2]; _mm_storeu_pd(r, _mm_max_pd(s, _mm_sqrt_pd(s))); return r[0] * r[1];
}""",
    "recursion": """
static double tree(double *x, int lo, int hi) { if (hi - lo == 1) return x[lo]; int m = (lo + hi) / 2; double l = tree(x, lo, m), r = tree(x, m, hi); return l * r + sin(l); }
static double feature(double *x, int n) { return tree(x, 0, n); }""",
    "recursion_mutual": """
static double odd(double *x, int n);
static double even(double *x, int n) { return n == 0 ? 1 : x[n - 1] * odd(x, n - 1) + 1; }
static double odd(double *x, int n) { return n == 0 ? 0.5 : x[0] + even(x, n - 1) * x[n - 1]; }
static double feature(double *x, int n) { return even(x, n); }""",
    "recursion_void": """
static void sweep(double *x, int n) { if (n < 2) return; x[n - 2] += 0.2 * x[n - 1] * x[n - 1]; sweep(x, n - 1); x[n - 1] *= x[0]; }
static double feature(double *x, int n) { sweep(x, n); double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }""",
    "recursion_pointer": """
static double *largest(double *x, int n) { if (n == 1) return x; double *r = largest(x + 1, n - 1); return *r > *x ? r : x; }
static double feature(double *x, int n) { double *p = largest(x, n); *p *= *p; return *p + x[0] * *largest(x, n / 2 + 1); }""",
    "function_table": """
typedef double (*Op)(double, double);
static double add(double a, double b) { return a + b; } static double mul(double a, double b) { return a * b; } static double pw(double a, double b) { return pow(a, b); }
static const Op ops[] = {add, mul, pw};
static double feature(double *x, int n) { double s = 1; for (int i = 0; i < n; i++) s = ops[i % 3](s, x[i]); return s; }""",
    "function_struct": """
struct Model { double (*f)(const struct Model *, double); double p; };
static double lin(const struct Model *m, double u) { return m->p * u; } static double sq(const struct Model *m, double u) { return m->p * u * u; }
static double feature(double *x, int n) { struct Model m[2] = {{lin, x[0]}, {sq, x[1]}}; double s = 0; for (int i = 2; i < n; i++) s += m[i & 1].f(&m[i & 1], x[i]); return s; }""",
    "function_argument": """
static double newton(double (*f)(double, double), double (*df)(double, double), double p) { double y = 1; while (fabs(f(y, p)) > 1e-13) y -= f(y, p) / df(y, p); return y; }
static double eq(double y, double p) { return y * y * y + y - p; } static double deq(double y, double p) { (void)p; return 3 * y * y + 1; }
static double feature(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += newton(eq, deq, x[i]) * x[0]; return s; }""",
    "static_local": """
static double feature(double *x, int n) { static double w[8]; static int calls; calls++; for (int i = 0; i < n; i++) w[i] = x[i] * x[(i + 1) % n]; double s = 0; for (int i = 0; i < n; i++) s += w[i] * w[0]; return s; }""",
    "global_arrays": """
static double state[4], table[3] = {1, 2, 3}; static const double fixed[2] = {0.5, 0.25};
static void push(double v) { state[0] = state[1]; state[1] = state[2]; state[2] = v; }
static double feature(double *x, int n) { double s = 0; memset(state, 0, sizeof state); for (int i = 0; i < n; i++) { push(x[i] * fixed[i & 1]); s += state[0] * state[2] * table[i % 3]; } return s; }""",
    "thread_local_read": """
static _Thread_local double gain = 1.5;
static double feature(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += gain * x[i] * x[i]; return s; }""",
    "thread_local_written": """
static _Thread_local double last;
static double feature(double *x, int n) { double s = last = 0; for (int i = 0; i < n; i++) { s += last * x[i]; last = x[i]; } return s; }""",
    "printf_inside": """
static double feature(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) { s += x[i] * x[i]; if (s < 0) printf("%d %g\\n", i, s); } fprintf(stderr, "%s", ""); return s; }""",
    "text_inside": """
static double feature(double *x, int n) { char name[32]; strcpy(name, "power"); strcat(name, "3"); snprintf(name + 6, 8, "%d", n); int k = atoi(name + 5); double s = 0; for (int i = 0; i < n; i++) s += x[i] * (k / 10) * x[0]; if (strcmp(name, "power37")) s += x[0]; return s; }""",
    "assert_abort": """
#include <assert.h>
static double feature(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) { assert(x[i] > -100); if (x[i] < -50) abort(); s += sqrt(x[i]); if (s > 1e9) exit(1); } return s * s; }""",
    "malloc_list": """
struct Node { double v; struct Node *next; };
static double feature(double *x, int n) {
  struct Node *head = 0; double s = 0;
  for (int i = 0; i < n; i++) { struct Node *k = malloc(sizeof *k); k->v = x[i] * (i + 1); k->next = head; head = k; }
  for (struct Node *k = head; k; k = k->next) s += k->v * (k->next ? k->next->v : 1);
  while (head) { struct Node *k = head->next; free(head); head = k; }
  return s;
}""",
    "malloc_tree": """
struct Tree { double key; struct Tree *l, *r; };
static struct Tree *insert(struct Tree *t, double k) { if (!t) { t = calloc(1, sizeof *t); t->key = k; } else if (k < t->key) t->l = insert(t->l, k); else t->r = insert(t->r, k); return t; }
static double walk(struct Tree *t, int d) { return t ? t->key * d + walk(t->l, d + 1) * walk(t->r, d + 2) : 1; }
static void drop(struct Tree *t) { if (t) { drop(t->l); drop(t->r); free(t); } }
static double feature(double *x, int n) { struct Tree *t = 0; for (int i = 0; i < n; i++) t = insert(t, x[(i * 3) % n]); double s = walk(t, 1); drop(t); return s; }""",
    "malloc_realloc": """
static double feature(double *x, int n) { int cap = 1; double *b = malloc(cap * sizeof *b), s = 0; for (int i = 0; i < n; i++) { if (i == cap) b = realloc(b, (cap *= 2) * sizeof *b); b[i] = x[i] * (i ? b[i - 1] : 1); } for (int i = 0; i < n; i++) s += b[i]; free(b); return s; }""",
    "malloc_2d": """
static double feature(double *x, int n) { double **a = malloc(n * sizeof *a), s = 0; for (int i = 0; i < n; i++) { a[i] = malloc(n * sizeof **a); for (int j = 0; j < n; j++) a[i][j] = x[i] * x[j]; } for (int i = 0; i < n; i++) s += a[i][(i * 2) % n] * a[(i + 1) % n][i]; for (int i = 0; i < n; i++) free(a[i]); free(a); return s; }""",
    "malloc_leak": """
static double feature(double *x, int n) { double *keep = malloc(n * sizeof *keep); memcpy(keep, x, n * sizeof *x); static double *old; free(old); old = 0; double s = 0; for (int i = 0; i < n; i++) s += keep[i] * x[n - 1 - i]; free(keep); return s; }""",
    "memcpy_doubles": """
static double feature(double *x, int n) { double a[8], b[8]; memcpy(a, x, n * sizeof *x); memcpy(b, a, sizeof a / 8 * n); memset(a, 0, n * sizeof *a); a[1] = b[1] * b[2]; memmove(b + 1, b, (n - 1) * sizeof *b); double s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i] + b[i] * b[i] * i; return s; }""",
    "memmove_shift": """
static double feature(double *x, int n) { double s = 0; for (int k = 0; k < 3; k++) { memmove(x, x + 1, (n - 1) * sizeof *x); x[n - 1] = x[0] * x[1]; s += x[2] * x[n - 1]; } return s; }""",
    "gather_scatter": """
static double feature(double *x, int n) { int idx[8]; double y[8] = {0}, s = 0; for (int i = 0; i < n; i++) idx[i] = (int)(x[i] * 100) % n; for (int i = 0; i < n; i++) y[idx[i]] += x[i] * x[i]; for (int i = 0; i < n; i++) s += y[i] * y[(i + 1) % n] + y[i]; return s; }""",
    "insertion_sort": """
static double feature(double *x, int n) { for (int i = 1; i < n; i++) { double v = x[i]; int j = i; while (j > 0 && x[j - 1] < v) { x[j] = x[j - 1]; j--; } x[j] = v; } double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i] * (i + 1); return s; }""",
    "in_place_overwrite": """
static double feature(double *x, int n) { double s = 0; for (int t = 0; t < 3; t++) for (int i = 1; i < n; i++) { x[i] = x[i] * x[i - 1] + s * 0.1; s += x[i]; if (x[i] > 2) x[i] = 0; } return s + x[n - 1]; }""",
    "pointer_walk": """
static double feature(double *x, int n) { double *p = x, *end = x + n, s = 1; while (p != end) { double *q = p++; s += *q * s; *q = s; } for (p = end; p-- > x;) s += *p; return s * 1e-2; }""",
    "pointer_select": """
static double feature(double *x, int n) { double a[4] = {x[0], x[1], x[2], x[3]}, *p = x[0] > x[1] ? a : x; double s = 0; for (int i = 0; i < 4; i++) { s += p[i] * p[i]; p = p == a ? x : a; p[i] *= s; } return s + a[3] + x[3]; }""",
    "pointer_to_pointer": """
static void advance(double **p, double **q) { double *t = *p; *p = *q + 1; *q = t; }
static double feature(double *x, int n) { double *p = x, *q = x + 2, s = 0; for (int i = 0; i < 3; i++) { s += *p * *q; *p += s; advance(&p, &q); } return s; }""",
    "pointer_array": """
static double feature(double *x, int n) { double *rows[4], a = x[0] * x[1], b = x[2]; rows[0] = x; rows[1] = &a; rows[2] = x + 3; rows[3] = &b; double s = 0; for (int i = 0; i < 8; i++) { s += *rows[i % 4] * (i + 1); *rows[(i + 1) % 4] *= 1.1; } return s; }""",
    "pointer_from_integer": """REFUSED: pointers made from integers
#include <stdint.h>
static double feature(double *x, int n) { uintptr_t p = (uintptr_t)x; double s = 0; for (int i = 0; i < n; i++) s += *(double *)(p + 8 * i) * x[0]; return s; }""",
    "while_convergence": """
static double feature(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) { double y = x[i]; while (y * y - x[i] > 1e-14 || x[i] - y * y > 1e-14) y = 0.5 * (y + x[i] / y); s += y * x[0]; } return s; }""",
    "break_continue": """
static double feature(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) { if (x[i] < 0.75) continue; for (int j = 0;; j++) { s += x[i] * x[j]; if (j == i) break; if (s > 50) return s; } if (s > 20) break; } return s * x[0]; }""",
    "nested_while": """
static double feature(double *x, int n) { double s = 0; int i = 0; while (i < n) { int k = i; do { s += x[k] * x[i]; k += 2; } while (k < n); i += 1 + (s > 5); } return s; }""",
    "down_and_strided": """
static double feature(double *x, int n) { double s = 1; for (int i = n - 1; i >= 0; i -= 2) s = s * x[i] + 1; for (unsigned u = 0; u < (unsigned)n; u += 3) s += x[u] * s; for (signed char c = 6; c > 0; c--) s += x[c] * x[c - 1]; return s; }""",
    "minmax_abs": """
static double feature(double *x, int n) { double m = x[0], M = x[0], s = 0; for (int i = 1; i < n; i++) { m = fmin(m, x[i]); M = x[i] > M ? x[i] : M; s += fabs(x[i] - 0.9) + fmax(0.0, x[i] - 0.8) + copysign(x[i], -1); } return M * M - m + s; }""",
    "libm": """
static double feature(double *x, int n) { double a = x[0], b = x[1]; return exp(a) + log(b) + pow(a, b) + atan2(a, b) + hypot(a, b) + cbrt(a) + tanh(b) + erf(a) + log1p(b) + expm1(a) + sinh(b) + acos(0.5 * a) + asin(0.5 * b) + fmod(5 * a, b) + floor(a) * b + tgamma(a + 1) + lgamma(b + 1) + fma(a, b, a) + ldexp(a, 2); }""",
    "libm_pointers": """
static double feature(double *x, int n) { double ip, s, c; int e, q; double f = modf(3 * x[0], &ip), m = frexp(x[1], &e); sincos(x[2], &s, &c); (void)q; return f * ip + m * e + s * c + x[3]; }
""",
    "ternary_chain": """
static double feature(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i] < 0.7 ? x[i] : x[i] < 0.8 ? x[i] * x[i] : x[i] < 1.0 ? sin(x[i]) : i & 1 ? x[0] * x[i] : 1 / x[i]; return s; }""",
    "compound_literal": """
static double dot(const double *a, const double *b, int n) { double s = 0; while (n--) s += *a++ * *b++; return s; }
static double feature(double *x, int n) { return dot((double[]){x[0], x[1] * x[2], 3}, x + 3, 3) * dot(x, x, n); }""",
    "array_of_structs": """
struct P { double m; float q; int t; double pos[2]; };
static double feature(double *x, int n) { struct P p[7]; for (int i = 0; i < n; i++) p[i] = (struct P){x[i], 2.0f, i, {x[i] * i, x[n - 1 - i]}}; double e = 0; for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) { double dx = p[i].pos[0] - p[j].pos[0], dy = p[i].pos[1] - p[j].pos[1]; e += p[i].m * p[j].m * p[i].q / sqrt(dx * dx + dy * dy + 0.1 * (p[i].t + 1)); } return e; }""",
    "struct_swap": """
struct Q { double v; int id; };
static double feature(double *x, int n) { struct Q q[7]; for (int i = 0; i < n; i++) { q[i].v = x[i] * x[0]; q[i].id = i; } for (int i = 0; i < n; i++) for (int j = 0; j + 1 < n; j++) if (q[j].v > q[j + 1].v) { struct Q t = q[j]; q[j] = q[j + 1]; q[j + 1] = t; } double s = 0; for (int i = 0; i < n; i++) s += q[i].v * (i + 1) + q[i].id; return s; }""",
    "generic_selection": """
#define SQ(v) _Generic((v), float: sqf, default: sqd)(v)
static float sqf(float v) { return v * v; } static double sqd(double v) { return v * v; }
static double feature(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += SQ(x[i]) + SQ(2.0f) * x[i]; return s; }""",
    "statement_expression": """
#define MAX(a, b) ({ __typeof__(a) p = (a), q = (b); p > q ? p : q; })
static double feature(double *x, int n) { double s = 0; for (int i = 0; i + 1 < n; i++) s += MAX(x[i], x[i + 1]) * x[i]; return s; }""",
    "inactive_integers": """
static unsigned hash(unsigned h) { h ^= h >> 13; h *= 0x5bd1e995u; return h ^ (h >> 15); }
static double feature(double *x, int n) { double s = 0; unsigned h = 1; for (int i = 0; i < 20; i++) { h = hash(h + i); s += x[h % n] * x[(h >> 8) % n] * ((h & 1) ? 1 : -0.5); } return s; }""",
    "stencil_data_branch": """
static double feature(double *x, int n) { double u[8]; for (int t = 0; t < 4; t++) { for (int i = 0; i < n; i++) u[i] = x[i]; for (int i = 1; i + 1 < n; i++) if (u[i] > u[i - 1]) x[i] = u[i] - 0.3 * (u[i] * u[i - 1]); else x[i] = u[i] + 0.2 * u[i + 1] * u[i]; } double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return s; }""",
    "adaptive_ode": """
static double feature(double *x, int n) { double t = 0, h = 0.1, y = x[0]; while (t < 1) { double k1 = -x[1] * y + x[2], k2 = -x[1] * (y + h * k1) + x[2], e = fabs(h * (k2 - k1)) / 2; if (e > 1e-3) { h *= 0.5; continue; } y += h * (k1 + k2) / 2; t += h; if (e < 1e-4) h *= 1.5; if (t + h > 1) h = 1 - t; if (h < 1e-9) break; } return y * y; }""",
    "alloca": """
static double feature(double *x, int n) { double s = 0; for (int k = 0; k < 3; k++) { double *b = __builtin_alloca(n * sizeof *b); for (int i = 0; i < n; i++) b[i] = x[i] * (s + 1); s += b[k] * b[n - 1 - k]; } return s; }""",
    "calloc_matrix": """
static double feature(double *x, int n) { double *a = calloc(n * n, sizeof *a), s = 0; for (int k = 0; k < 20; k++) a[(k * 7) % (n * n)] += x[k % n] * (k + 1); for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += a[i * n + j] * a[j * n + i]; free(a); return s; }""",
    "aligned_allocation": """
static double feature(double *x, int n) { double *a = aligned_alloc(64, 64), s = 0; for (int i = 0; i < n; i++) a[i] = x[i] * x[i]; for (int i = 0; i < n; i++) s += a[i] * a[n - 1 - i]; free(a); return s; }""",
    "early_return_free": """
static double feature(double *x, int n) { double *b = malloc(n * sizeof *b); for (int i = 0; i < n; i++) { b[i] = x[i] * x[0]; if (x[i] > 1.0) { double r = b[i] * b[i]; free(b); return r; } } double r = b[n - 1]; free(b); return r; }""",
    "infinite_with_exit": """
static double feature(double *x, int n) { double s = 0; for (int i = 0;; i = (i + 1) % n) { s += x[i] * x[(i + 1) % n]; if (s > 20) return s * x[i]; } }""",
    "void_pointer": """
struct Ctx { double *p; int n; };
static double apply(double (*f)(void *, double), void *c, double v) { return f(c, v); }
static double use(void *c, double v) { struct Ctx *k = c; double s = 0; for (int i = 0; i < k->n; i++) s += k->p[i] * v; return s; }
static double feature(double *x, int n) { struct Ctx c = {x, n}; return apply(use, &c, x[0]) * apply(use, &c, 2); }""",
    "bsearch_index": """
static double feature(double *x, int n) { double knots[5] = {0, 0.5, 0.8, 1, 2}, s = 0; for (int i = 0; i < n; i++) { int lo = 0, hi = 4; while (hi - lo > 1) { int m = (lo + hi) / 2; if (knots[m] <= x[i]) lo = m; else hi = m; } double w = (x[i] - knots[lo]) / (knots[hi] - knots[lo]); s += w * w * x[0] + lo; } return s; }""",
    "logic_flags": """
#include <stdbool.h>
static double feature(double *x, int n) { bool any = false, all = true; double s = 0; for (int i = 0; i < n; i++) { bool b = x[i] > 0.9; any |= b; all &= b; s += b && any ? x[i] * x[i] : x[i]; } return any && !all ? s * s : s; }""",
    "int128": """
static double feature(double *x, int n) { unsigned __int128 h = 1; double s = 0; for (int i = 0; i < n; i++) { h = h * 6364136223846793005ull + 1442695040888963407ull; s += x[(unsigned)(h >> 64) % n] * x[i]; } return s; }""",
    "struct_of_arrays_global": """
static struct { double a[8], b[8]; int n; } g;
static double feature(double *x, int n) { g.n = n; for (int i = 0; i < n; i++) { g.a[i] = x[i]; g.b[i] = g.a[i] * x[0]; } double s = 0; for (int i = 0; i < g.n; i++) s += g.a[i] * g.b[g.n - 1 - i]; return s; }""",
    "global_pointer": """
static double *where; static double store[8];
static double feature(double *x, int n) { where = store; for (int i = 0; i < n; i++) *where++ = x[i] * x[i]; where = x; double s = 0; for (int i = 0; i < n; i++) s += store[i] * *where++; return s; }""",
    "rand_and_time": """
#include <time.h>
static double feature(double *x, int n) { srand(1); (void)time(0); double s = 0; for (int i = 0; i < n; i++) s += x[rand() % n] * x[i]; return s; }""",
}
