package dev.cleave.broker.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.MethodChange;
import dev.cleave.testing.PlantedClasses;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The defect of the laboratory that is in the registry: a replica whose name another process takes is not told. */
@Tag("one-jdk")
class DisplacedDefectTest {

    private static final String TEST = RegistryTest.class.getName() + ".aReplicaIsToldWhenAnotherTakesItsName";

    @Test
    void itsTestNoticesIt() throws Exception {
        PlantedClasses planted =
                new PlantedClasses(Registry.class.getName(), MethodChange.omits("register", "displaced"));

        assertThat(planted.run(TEST)).isInstanceOf(AssertionError.class);
    }
}
