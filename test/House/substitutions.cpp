// The harness itself: clang++ loads the plugin, and the program runs.
// RUN: %clangxx -O2 %s -o %t && %t
int main() { return 0; }
