package dev.cleave.planted;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The test of each defect fails when the defect is in the production class; without it the same tests are part of the build. */
@Tag("one-jdk")
class ProductionDefectsTest {

    @ParameterizedTest
    @EnumSource
    void itsTestNoticesIt(ProductionDefect defect) throws Exception {
        Throwable noticed = defect.plant();

        assertThat(noticed).as(defect.test() + " does not notice " + defect).isInstanceOf(AssertionError.class);
    }
}
