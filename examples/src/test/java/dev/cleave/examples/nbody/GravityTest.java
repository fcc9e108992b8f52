package dev.cleave.examples.nbody;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class GravityTest {

    @Test
    void twoParticlesPullEachOtherAsNewtonSays() {
        double[] forces = new Gravity().within(new double[] {0, 0, 0, 2, 3, 4, 0, 5});

        double strength = 2 * 5 / Math.pow(25 + 1e-4, 1.5);
        assertThat(forces)
                .usingComparatorWithPrecision(1e-12)
                .containsExactly(3 * strength, 4 * strength, 0, -3 * strength, -4 * strength, 0);
    }

    @Test
    void eachForceIsTheSumOverAllOthers() {
        double[] particles = Particles.random(50);
        double[] forces = new Gravity().within(particles);

        for (int i = 0; i < 50; i++) {
            double[] sum = new double[3];
            for (int j = 0; j < 50; j++) {
                double square = 1e-4;
                for (int axis = 0; axis < 3; axis++) {
                    square += Math.pow(particles[j * 4 + axis] - particles[i * 4 + axis], 2);
                }
                for (int axis = 0; axis < 3; axis++) {
                    sum[axis] += particles[i * 4 + 3]
                            * particles[j * 4 + 3]
                            * (particles[j * 4 + axis] - particles[i * 4 + axis])
                            / Math.pow(square, 1.5);
                }
            }
            for (int axis = 0; axis < 3; axis++) {
                assertThat(forces[i * 3 + axis]).isCloseTo(sum[axis], within(1e-9));
            }
        }
    }

    @Test
    void piecesTogetherHaveTheForcesOfTheWhole() {
        double[] particles = Particles.random(101);
        double[] whole = new Gravity().within(particles);

        for (int pieces = 1; pieces <= 7; pieces++) {
            double[] forces = Field.forces(new Gravity(), particles, pieces);

            assertThat(Particles.error(forces, whole)).as("%d pieces", pieces).isLessThan(1e-13);
        }
    }

    @Test
    void wrongForcesHaveAnError() {
        assertThat(Particles.error(new double[] {1, 2, 3}, new double[] {1, 2, 4}))
                .isEqualTo(0.25);
        assertThat(Particles.error(new double[] {1, Double.NaN, 3}, new double[] {1, 2, 3}))
                .isNaN();
        assertThat(Particles.error(new double[3], new double[] {1, 2, 3, 4})).isNaN();
    }
}
