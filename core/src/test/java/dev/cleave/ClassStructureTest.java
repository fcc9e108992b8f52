package dev.cleave;

import dev.cleave.testing.ClassStructure;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class ClassStructureTest {

    private final ClassStructure classes = ClassStructure.of(Path.of(""));

    ClassStructureTest() throws IOException {}

    @Test
    void noMoreClassesAreInCycles() {
        classes.percentInCyclesIs(14);
    }

    @Test
    void theLargestKnotDoesNotGrow() {
        classes.largestKnotIs(12);
    }

    @Test
    void noMoreSmallFilesHaveOneUser() throws IOException {
        classes.smallFilesWithOneUserAre(34);
    }
}
