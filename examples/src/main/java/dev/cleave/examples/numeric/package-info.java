/**
 * Numerical kernels that run where their data are: the products of matrices and the conjugate gradients of the CBS paper.
 */
@NullMarked
package dev.cleave.examples.numeric;

import org.jspecify.annotations.NullMarked;
