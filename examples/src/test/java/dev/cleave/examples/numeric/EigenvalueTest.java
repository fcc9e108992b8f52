package dev.cleave.examples.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("one-jdk")
class EigenvalueTest {

    @ParameterizedTest
    @EnumSource
    void bothClassesVerify(Eigenvalue.Problem problem) {
        SparseMatrix matrix = problem.matrix();
        ConjugateGradientSteps steps = new ConjugateGradientSteps();

        double zeta = Eigenvalue.zeta(problem, (x, z) -> steps.solve(matrix, x, z, 2));

        assertThat(zeta).isCloseTo(problem == Eigenvalue.Problem.S ? 8.5971775078648 : 10.362595087124, within(1e-10));
    }

    @Test
    void theMatrixIsSymmetric() {
        SparseMatrix matrix = SparseMatrix.of(200, 5, 10);
        double[][] full = new double[200][200];
        for (int row = 0; row < 200; row++) {
            for (int k = matrix.rows()[row]; k < matrix.rows()[row + 1]; k++) {
                full[row][matrix.columns()[k]] = matrix.values()[k];
            }
        }

        for (int row = 0; row < 200; row++) {
            for (int column = 0; column < row; column++) {
                assertThat(full[row][column]).isCloseTo(full[column][row], within(1e-12));
            }
        }
    }
}
