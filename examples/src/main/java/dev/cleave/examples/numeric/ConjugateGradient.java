package dev.cleave.examples.numeric;

import dev.cleave.Out;
import dev.cleave.Ref;
import dev.cleave.Remote;

/** The routine {@code conj_grad} of the NAS CG benchmark, on a matrix that stays where it is. */
@Remote
public interface ConjugateGradient {

    /**
     * Solves {@code A z = x} approximately, in 25 steps.
     *
     * @return the norm of the residual
     */
    double solve(Ref<int[]> rows, Ref<int[]> columns, Ref<double[]> values, double[] x, @Out double[] z, int threads);
}
