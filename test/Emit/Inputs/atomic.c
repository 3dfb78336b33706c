/* What no-atomics.py must notice. */
double sum(int n, const double *x) {
  double s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
#pragma omp atomic
    s += x[i];
  return s;
}
