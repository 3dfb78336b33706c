# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Features of C++, as in features_c.py."""

FEATURES = {
    "lambda": """
static double feature(double *x, int n) { double k = x[0]; auto f = [&](double v) { return k * v * v; }; auto g = [k, f](int i) { return f(i * k); }; double s = 0; for (int i = 0; i < n; i++) s += f(x[i]) + g(i); return s; }""",
    "lambda_mutable": """
static double feature(double *x, int n) { auto acc = [t = 0.0](double v) mutable { t = t * 0.5 + v; return t * t; }; double s = 0; for (int i = 0; i < n; i++) s += acc(x[i]); return s; }""",
    "lambda_recursive": """
#include <functional>
static double feature(double *x, int n) { std::function<double(int)> f = [&](int k) -> double { return k == 0 ? x[0] : f(k - 1) * x[k] + 1; }; return f(n - 1); }""",
    "templates": """
template <class T, int N> struct Poly { T c[N]; T operator()(T v) const { T r = 0; for (int i = N; i-- > 0;) r = r * v + c[i]; return r; } };
static double feature(double *x, int n) { Poly<double, 4> p{{x[0], x[1], x[2], x[3]}}; double s = 0; for (int i = 0; i < n; i++) s += p(x[i]); return s; }""",
    "variadic_templates": """
template <class... T> double fold(T... t) { return (t * ... * 1.0) + (std::sin(t) + ...); }
static double feature(double *x, int n) { return fold(x[0], x[1], x[2] * x[3]) + fold(x[4]); }""",
    "constexpr_if": """
template <class T> double weight(T v) { if constexpr (sizeof(T) == 4) return v * 2; else return v * v; }
static double feature(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += weight(x[i]) + weight(3.0f) * x[i] + weight(i); return s; }""",
    "crtp": """
template <class D> struct Base { double run(double v) const { return static_cast<const D *>(this)->f(v) * 2; } };
struct A : Base<A> { double k; double f(double v) const { return k * v; } }; struct B : Base<B> { double f(double v) const { return v * v; } };
static double feature(double *x, int n) { A a; a.k = x[0]; B b; double s = 0; for (int i = 0; i < n; i++) s += a.run(x[i]) * b.run(x[i]); return s; }""",
    "virtual_calls": """
struct Shape { virtual double area() const = 0; virtual ~Shape() {} };
struct Sq : Shape { double a; Sq(double v) : a(v) {} double area() const override { return a * a; } };
struct Rc : Shape { double a, b; Rc(double u, double v) : a(u), b(v) {} double area() const override { return a * b; } };
static double feature(double *x, int n) { Sq s(x[0]); Rc r(x[1], x[2]); const Shape *all[2] = {&s, &r}; double t = 0; for (int i = 0; i < n; i++) t += all[i % 2]->area() * x[i]; return t; }""",
    "virtual_heap": """
#include <memory>
#include <vector>
struct Layer { virtual double apply(double v) const = 0; virtual ~Layer() = default; };
struct Lin : Layer { double w; explicit Lin(double w) : w(w) {} double apply(double v) const override { return w * v; } };
struct Act : Layer { double apply(double v) const override { return std::tanh(v); } };
static double feature(double *x, int n) { std::vector<std::unique_ptr<Layer>> l; for (int i = 0; i < n; i++) { l.push_back(std::make_unique<Lin>(x[i])); l.push_back(std::make_unique<Act>()); } double v = 1; for (auto &p : l) v = p->apply(v); return v; }""",
    "virtual_bases": """
struct Root { double r; }; struct L : virtual Root { double l; virtual double get() { return r * l; } }; struct R : virtual Root { double q; }; struct D : L, R { double get() override { return r * l * q; } };
static double feature(double *x, int n) { D d; d.r = x[0]; d.l = x[1]; d.q = x[2]; L *p = &d; R *q = &d; q->r *= x[3]; return p->get() + d.r; }""",
    "multiple_inheritance": """
struct F1 { double a; virtual double f() { return a; } virtual ~F1() {} }; struct F2 { double b; virtual double g() { return b * b; } virtual ~F2() {} };
struct Both : F1, F2 { double c; double f() override { return a * c; } double g() override { return b + c * c; } };
static double feature(double *x, int n) { Both b; b.a = x[0]; b.b = x[1]; b.c = x[2]; F1 *p = &b; F2 *q = &b; return p->f() * q->g(); }""",
    "member_pointers": """
struct S { double a, b; double f(double v) { return a * v; } double g(double v) { return b * v * v; } };
static double feature(double *x, int n) { S s{x[0], x[1]}; double S::*d = n & 1 ? &S::a : &S::b; double (S::*m[2])(double) = {&S::f, &S::g}; double t = 0; for (int i = 0; i < n; i++) t += (s.*m[i & 1])(x[i]); return t + s.*d; }""",
    "operators": """
struct V { double x, y; V operator+(V o) const { return {x + o.x, y + o.y}; } V operator*(double k) const { return {x * k, y * k}; } double &operator[](int i) { return i ? y : x; } };
static double feature(double *x, int n) { V v{x[0], x[1]}; for (int i = 2; i < n; i++) { v = v * x[i] + V{x[i], 1}; v[i & 1] *= v[1 - (i & 1)]; } return v.x + v.y; }""",
    "references": """
static double &pick(double *x, int i) { return x[i]; }
static double feature(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) { double &r = pick(x, i); const double &c = r; r *= 1 + c; s += r; } return s; }""",
    "raii": """
struct Buf { double *p; int n; explicit Buf(int n) : p(new double[n]()), n(n) {} Buf(const Buf &o) : p(new double[o.n]), n(o.n) { for (int i = 0; i < n; i++) p[i] = o.p[i]; } Buf(Buf &&o) : p(o.p), n(o.n) { o.p = nullptr; } ~Buf() { delete[] p; } };
static Buf make(double *x, int n) { Buf b(n); for (int i = 0; i < n; i++) b.p[i] = x[i] * x[i]; return b; }
static double feature(double *x, int n) { Buf a = make(x, n), b(a), c(std::move(b)); double s = 0; for (int i = 0; i < n; i++) s += a.p[i] * c.p[n - 1 - i]; return s; }""",
    "new_delete": """
static double feature(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) { double *p = new double(x[i] * x[i]); double *q = new double[2]{*p, s}; s += q[0] * (1 + q[1]) * 0.1; delete p; delete[] q; } return s; }""",
    "placement_new": """
#include <new>
static double feature(double *x, int n) { alignas(16) unsigned char raw[2 * sizeof(double)]; double s = 0; for (int i = 0; i < n; i++) { double *p = new (raw) double(x[i]); double *q = new (raw + 8) double(x[0]); s += *p * *q; } return s; }""",
    "exceptions_caught": """
static double root(double v) { if (v > 1.0) throw v; return std::sqrt(v); }
static double feature(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) try { s += root(x[i]) * x[0]; } catch (double) { s += x[i] * x[i]; } return s; }""",
    "exceptions_class": """
#include <stdexcept>
static double part(double v) { if (v < -1) throw std::runtime_error("negative"); return v * v; }
static double feature(double *x, int n) { double s = 0; try { for (int i = 0; i < n; i++) s += part(x[i]) * (i + 1); } catch (const std::exception &e) { return 0; } return s; }""",
    "destructors_unwind": """
struct Guard { double *p; Guard(double *q) : p(q) {} ~Guard() { *p *= 2; } };
static double go(double *x) { Guard g(x); return x[0] * x[1]; }
static double feature(double *x, int n) { double s = 0; for (int i = 0; i + 1 < n; i++) s += go(x + i); return s + x[0]; }""",
    "vector": """
#include <vector>
static double feature(double *x, int n) { std::vector<double> v(x, x + n), w; for (int i = 0; i < n; i++) w.push_back(v[i] * v[n - 1 - i]); w.insert(w.begin(), x[0]); w.resize(n + 3, 0.5); double s = 0; for (double d : w) s += d * d; v = w; v.erase(v.begin() + 1); return s + v.back() * v.at(1); }""",
    "vector_of_vector": """
#include <vector>
static double feature(double *x, int n) { std::vector<std::vector<double>> a(3, std::vector<double>(n)); for (int i = 0; i < 3; i++) for (int j = 0; j < n; j++) a[i][j] = x[j] * (i + 1); a.push_back(a[1]); a[3][2] *= a[0][1]; double s = 0; for (auto &r : a) for (double d : r) s += d * x[0]; return s + a[3][2]; }""",
    "vector_of_struct": """
#include <vector>
struct P { double m; int id; std::vector<double> v; };
static double feature(double *x, int n) { std::vector<P> ps; for (int i = 0; i < n; i++) { P p; p.m = x[i]; p.id = i; p.v.assign(2, x[0]); ps.push_back(p); } double s = 0; for (auto &p : ps) s += p.m * p.id * p.v[1]; return s; }""",
    "vector_float": """
#include <vector>
static double feature(double *x, int n) { std::vector<int> k; std::vector<double> w; for (int i = 0; i < n; i++) { k.push_back((i * 3) % n); w.emplace_back(x[i]); } double s = 0; for (int i : k) s += w[i] * w[0] * i; return s; }""",
    "array_pair_tuple": """
#include <array>
#include <tuple>
#include <utility>
static std::tuple<double, int, double> split(double v) { return {v * v, (int)v, v}; }
static double feature(double *x, int n) { std::array<double, 4> a{x[0], x[1], x[2], x[3]}; std::pair<double, double> p{a[0] * a[1], a[2]}; auto [u, k, v] = split(p.first + p.second); std::swap(a[0], a[3]); return u * v + k + a[0] * a[1] + std::get<0>(split(a[3])); }""",
    "map": """
#include <map>
static double feature(double *x, int n) { std::map<int, double> m; for (int i = 0; i < n; i++) m[(i * 5) % n] += x[i] * x[i]; double s = 0; for (auto &[k, v] : m) s += v * (k + 1); m.erase(2); return s * m.at(1) + m.size(); }""",
    "unordered_map": """
#include <unordered_map>
static double feature(double *x, int n) { std::unordered_map<int, double> m; for (int i = 0; i < n; i++) m[i * 7] = x[i]; double s = 0; for (int i = 0; i < n; i++) { auto it = m.find(i * 7); if (it != m.end()) s += it->second * x[0]; } return s; }""",
    "string_map": """
#include <string>
#include <unordered_map>
static double feature(double *x, int n) { std::unordered_map<std::string, double> m; m["mass"] = x[0]; m["speed"] = x[1]; m["mass"] *= x[2]; return 0.5 * m["mass"] * m.at("speed") * m.at("speed"); }""",
    "string_and_double": """
#include <string>
#include <vector>
struct Named { std::string name; double v; };
static double feature(double *x, int n) { std::vector<Named> a; for (int i = 0; i < n; i++) a.push_back({"entry" + std::to_string(i), x[i] * x[0]}); double s = 0; for (auto &e : a) if (e.name != "entry3") s += e.v * e.name.size(); return s; }""",
    "set_list_deque": """
#include <deque>
#include <list>
#include <set>
static double feature(double *x, int n) { std::set<int> k; std::list<double> l; std::deque<double> d; for (int i = 0; i < n; i++) { k.insert(i * i % n); l.push_back(x[i]); d.push_front(x[i] * x[0]); } double s = 0; for (int i : k) s += x[i]; for (double v : l) s += v * v; while (!d.empty()) { s += d.back() * s * 0.1; d.pop_back(); } return s; }""",
    "queue_stack": """
#include <queue>
#include <stack>
#include <vector>
static double feature(double *x, int n) { std::stack<double, std::vector<double>> st; for (int i = 0; i < n; i++) { st.push(x[i]); if (i % 3 == 2) { double b = st.top(); st.pop(); double a = st.top(); st.pop(); st.push(a * b); } } double s = 1; while (!st.empty()) { s *= st.top(); st.pop(); } return s; }""",
    "algorithms": """
#include <algorithm>
#include <numeric>
#include <vector>
static double feature(double *x, int n) { std::vector<double> v(x, x + n); std::transform(v.begin(), v.end(), v.begin(), [](double d) { return d * d; }); std::reverse(v.begin(), v.end()); double m = *std::max_element(v.begin(), v.end()); std::partial_sum(v.begin(), v.end(), v.begin()); return m * std::accumulate(v.begin(), v.end(), 0.0) + std::inner_product(v.begin(), v.end(), x, 0.0); }""",
    "sort": """
#include <algorithm>
static double feature(double *x, int n) { std::sort(x, x + n); double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i] * (i + 1); return s; }""",
    "sort_indices": """
#include <algorithm>
#include <vector>
static double feature(double *x, int n) { std::vector<int> k(n); for (int i = 0; i < n; i++) k[i] = i; std::sort(k.begin(), k.end(), [&](int a, int b) { return x[a] < x[b]; }); double s = 0; for (int i = 0; i < n; i++) s += x[k[i]] * (i + 1) * x[0]; return s; }""",
    "nth_copy_fill": """
#include <algorithm>
static double feature(double *x, int n) { double a[8], b[8]; std::copy(x, x + n, a); std::fill(b, b + n, x[0]); std::rotate(a, a + 2, a + n); std::copy_backward(a, a + n - 1, a + n); double s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i] * i + std::clamp(a[i], 0.75, 1.0); return s; }""",
    "function_object": """
#include <functional>
static double feature(double *x, int n) { double k = x[1]; std::function<double(double)> f = [k](double v) { return v * k; }, g = [x](double v) { return v * v + x[0]; }; std::function<double(double)> h = n > 3 ? g : f; double s = 0; for (int i = 0; i < n; i++) s += f(x[i]) + h(s * 0.1); return s; }""",
    "variant": """
#include <variant>
struct Lin { double a; }; struct Sq { double b, c; };
static double feature(double *x, int n) { std::variant<Lin, Sq, int> v; double s = 0; for (int i = 0; i < n; i++) { if (i % 3 == 0) v = Lin{x[i]}; else if (i % 3 == 1) v = Sq{x[i], x[0]}; else v = i; if (auto *l = std::get_if<Lin>(&v)) s += l->a * x[0]; else if (auto *q = std::get_if<Sq>(&v)) s += q->b * q->c * q->b; else s += std::get<int>(v) * x[i]; } return s; }""",
    "variant_visit": """
#include <variant>
struct Circle { double r; }; struct Box { double a, b; };
struct Area { double operator()(const Circle &c) const { return 3 * c.r * c.r; } double operator()(const Box &b) const { return b.a * b.b; } };
static double feature(double *x, int n) { std::variant<Circle, Box> v[2] = {Circle{x[0]}, Box{x[1], x[2]}}; double s = 0; for (int i = 0; i < n; i++) s += std::visit(Area(), v[i & 1]) * x[i]; return s; }""",
    "optional": """
#include <optional>
static std::optional<double> root(double v) { if (v > 1) return std::nullopt; return std::sqrt(v); }
static double feature(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) { auto r = root(x[i]); s += r ? *r * x[0] : r.value_or(x[i] * 2); } return s; }""",
    "smart_pointers": """
#include <memory>
struct Node { double v; std::unique_ptr<Node> next; };
static double feature(double *x, int n) { std::unique_ptr<Node> h; for (int i = 0; i < n; i++) { auto k = std::make_unique<Node>(); k->v = x[i] * x[0]; k->next = std::move(h); h = std::move(k); } double s = 0; for (Node *p = h.get(); p; p = p->next.get()) s += p->v * (s + 1) * 0.3; return s; }""",
    "shared_pointers": """
#include <memory>
#include <vector>
static double feature(double *x, int n) { std::vector<std::shared_ptr<double>> v; for (int i = 0; i < n; i++) v.push_back(i % 3 == 2 ? v.back() : std::make_shared<double>(x[i])); *v[1] *= *v[0]; double s = 0; for (auto &p : v) s += *p * *p; return s; }""",
    "any_type": """
#include <any>
static double feature(double *x, int n) { std::any a = x[0]; double s = std::any_cast<double>(a); a = n; return s * s * std::any_cast<int>(a); }""",
    "iostream": """
#include <iostream>
#include <sstream>
static double feature(double *x, int n) { std::ostringstream o; double s = 0; for (int i = 0; i < n; i++) { s += x[i] * x[i]; o << i << ' ' << s << '\\n'; } if (o.str().empty()) std::cerr << "empty" << std::endl; std::cout << std::flush; return s * s; }""",
    "string_stream_in": """
#include <sstream>
#include <string>
static double feature(double *x, int n) { std::istringstream in("2 3 four"); int a = 0, b = 0; std::string w; in >> a >> b >> w; return x[0] * x[0] * a + x[1] * b + w.size() * x[2]; }""",
    "stream_double_in": """
#include <sstream>
static double feature(double *x, int n) { std::istringstream in("2.5 0.5"); double s = x[0]; in >> s; double t = x[1]; in >> x[2]; return s * x[0] + t * x[2] + x[3] * x[3]; }""",
    "string_view": """
#include <string_view>
static double feature(double *x, int n) { std::string_view v("abcabc"); double s = 0; for (char c : v) s += x[c - 'a'] * x[0]; if (v.substr(1, 2) == "bc") s *= x[3]; return s; }""",
    "complex": """
#include <complex>
static double feature(double *x, int n) { std::complex<double> z(x[0], x[1]), w(1, 0); for (int i = 2; i < n; i++) { w = w * z + x[i]; z /= std::abs(w) + 1; } return std::norm(w) + std::arg(z) + std::real(std::exp(z)); }""",
    "initializer_list": """
#include <initializer_list>
static double sum(std::initializer_list<double> l) { double s = 0; for (double d : l) s += d * d; return s; }
static double feature(double *x, int n) { return sum({x[0], x[1] * x[2]}) * sum({x[3]}); }""",
    "static_objects": """
struct Table { double v[8]; Table() { for (int i = 0; i < 8; i++) v[i] = i * 0.5; } };
static double feature(double *x, int n) { static Table t; double s = 0; for (int i = 0; i < n; i++) s += t.v[i] * x[i] * x[i]; return s; }""",
    "inline_variables": """
inline double factor = 2; inline constexpr double K[3] = {1, 2, 3};
static double feature(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += K[i % 3] * x[i] * x[i] * factor; return s; }""",
    "enum_class": """
enum class Mode { Add, Mul, Skip };
static double feature(double *x, int n) { Mode m[3] = {Mode::Add, Mode::Mul, Mode::Skip}; double s = 1; for (int i = 0; i < n; i++) switch (m[i % 3]) { case Mode::Add: s += x[i]; break; case Mode::Mul: s *= x[i]; break; case Mode::Skip: continue; } return s; }""",
    "iterators": """
struct Range { double *b, *e; struct It { double *p; double &operator*() { return *p; } It &operator++() { p += 2; return *this; } bool operator!=(It o) const { return p < o.p; } }; It begin() { return {b}; } It end() { return {e}; } };
static double feature(double *x, int n) { double s = 0; for (double &v : Range{x, x + n}) { s += v * v; v = s; } return s * x[0]; }""",
    "matrix_class": """
template <int R, int C> struct M { double a[R][C]; double &operator()(int i, int j) { return a[i][j]; } };
template <int R, int K, int C> M<R, C> mul(M<R, K> a, M<K, C> b) { M<R, C> r{}; for (int i = 0; i < R; i++) for (int j = 0; j < C; j++) for (int k = 0; k < K; k++) r(i, j) += a(i, k) * b(k, j); return r; }
static double feature(double *x, int n) { M<2, 3> a; M<3, 2> b; for (int i = 0; i < 6; i++) { a.a[i / 3][i % 3] = x[i]; b.a[i / 2][i % 2] = x[6 - i]; } auto c = mul(a, b); auto d = mul(c, c); return d(0, 1) * d(1, 0) + c(0, 0); }""",
    "expression_templates": """
template <class L, class R> struct Sum { const L &l; const R &r; double operator[](int i) const { return l[i] + r[i]; } };
template <class L, class R> struct Mul { const L &l; const R &r; double operator[](int i) const { return l[i] * r[i]; } };
struct A { double *p; double operator[](int i) const { return p[i]; } };
static double feature(double *x, int n) { A a{x}, b{x + 1}; Mul<A, A> m{a, b}; Sum<Mul<A, A>, A> s{m, a}; double t = 0; for (int i = 0; i + 1 < n; i++) t += s[i] * s[i]; return t; }""",
    "custom_allocator": """
#include <vector>
template <class T> struct Arena { using value_type = T; Arena() = default; template <class U> Arena(const Arena<U> &) {} T *allocate(std::size_t n) { return static_cast<T *>(std::malloc(n * sizeof(T))); } void deallocate(T *p, std::size_t) { std::free(p); } bool operator==(const Arena &) const { return true; } bool operator!=(const Arena &) const { return false; } };
static double feature(double *x, int n) { std::vector<double, Arena<double>> v; for (int i = 0; i < n; i++) v.push_back(x[i] * x[0]); double s = 0; for (double d : v) s += d * d; return s; }""",
    "pool_allocator": """
struct Pool { char *base; std::size_t used; double *get(int n) { double *p = reinterpret_cast<double *>(base + used); used += n * sizeof(double); return p; } };
static double feature(double *x, int n) { Pool p{static_cast<char *>(std::malloc(1024)), 0}; double *a = p.get(n), *b = p.get(n), s = 0; for (int i = 0; i < n; i++) { a[i] = x[i] * x[i]; b[i] = a[i] * x[0]; } for (int i = 0; i < n; i++) s += a[i] * b[n - 1 - i]; std::free(p.base); return s; }""",
    "dynamic_cast": """
struct B { virtual ~B() {} double v; }; struct D1 : B { double w; }; struct D2 : B {};
static double feature(double *x, int n) { D1 a; a.v = x[0]; a.w = x[1]; D2 b; b.v = x[2]; B *p[2] = {&a, &b}; double s = 0; for (int i = 0; i < n; i++) if (auto *d = dynamic_cast<D1 *>(p[i & 1])) s += d->w * d->v * x[i]; else s += p[i & 1]->v * x[i]; return s; }""",
    "coroutine_like_generator": """
struct Gen { double s; int i; bool next(double *x, int n, double &out) { if (i >= n) return false; s = s * 0.5 + x[i++]; out = s; return true; } };
static double feature(double *x, int n) { Gen g{1, 0}; double v, t = 0; while (g.next(x, n, v)) t += v * v; return t; }""",
    "automatic_differentiation": """
struct Dual { double v, d; Dual operator*(Dual o) const { return {v * o.v, d * o.v + v * o.d}; } Dual operator+(Dual o) const { return {v + o.v, d + o.d}; } };
static double feature(double *x, int n) { Dual s{1, 0}; for (int i = 0; i < n; i++) s = s * Dual{x[i], 1} + Dual{x[0], 0}; return s.d; }""",
    "vector_bool": """
#include <vector>
static double feature(double *x, int n) { std::vector<bool> b(n); for (int i = 0; i < n; i++) b[i] = x[i] > 0.9; double s = 0; for (int i = 0; i < n; i++) s += b[i] ? x[i] * x[i] : x[0] * x[i]; return s; }""",
    "valarray": """
#include <valarray>
static double feature(double *x, int n) { std::valarray<double> v(x, n), w = v * v + 1.0; w[2] *= v[1]; return w.sum() + (v * w).sum(); }""",
    "bitset": """
#include <bitset>
static double feature(double *x, int n) { std::bitset<8> b; for (int i = 0; i < n; i += 2) b.set(i); double s = 0; for (int i = 0; i < n; i++) s += b[i] ? x[i] * x[i] : x[0] * x[i]; return s * b.count(); }""",
    "random_engine": """
#include <random>
static double feature(double *x, int n) { std::mt19937 g(1); double s = 0; for (int i = 0; i < 10; i++) s += x[g() % n] * x[i % n]; return s; }""",
    "chrono": """
#include <chrono>
static double feature(double *x, int n) { auto t = std::chrono::steady_clock::now(); double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; auto d = std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count(); return d < 0 ? 0 : s; }""",
    "threads": """REFUSED: no definition that can be differentiated
#include <thread>
static double feature(double *x, int n) { double s = 0; std::thread t([&] { s = x[0] * x[1]; }); t.join(); return s; }""",
    "atomic_class": """REFUSED: 
#include <atomic>
static double feature(double *x, int n) { std::atomic<double> s(0); for (int i = 0; i < n; i++) s.store(s.load() + x[i] * x[i]); return s.load(); }""",
    "typed_storage": """
#include <new>
#include <type_traits>
template <class T> struct Slot { typename std::aligned_storage<sizeof(T), alignof(T)>::type raw; T &get() { return *reinterpret_cast<T *>(&raw); } };
struct Item { double a, b; };
static double feature(double *x, int n) { Slot<Item> s[3]; for (int i = 0; i < 3; i++) new (&s[i].raw) Item{x[i], x[i + 1]}; double t = 0; for (int i = 0; i < 3; i++) t += s[i].get().a * s[i].get().b; return t; }""",
}
