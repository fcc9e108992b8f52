package dev.cleave.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class FollowedFileTest {

    @TempDir
    private Path folder;

    private final List<Bindings> taken = new ArrayList<>();

    private static Balance balance(Bindings bindings) {
        return bindings.service("a").orElseThrow().dispatch().balance();
    }

    @Test
    void handsOverWhatHasChangedOnceAndNoMistakes() throws IOException {
        Path path = Files.writeString(folder.resolve("cleave.yaml"), "services: {a: {balance: demand(1)}}");
        FollowedFile file = FollowedFile.of(path, taken::add);

        assertThat(file.poll()).as("nothing has changed").isFalse();
        Files.writeString(path, "services: {a: {balance: demand(22)}}");
        assertThat(file.poll()).isTrue();
        assertThat(file.poll()).isFalse();
        Files.writeString(path, "services: {a: {balance: demand(none)}}");
        assertThat(file.poll()).as("a mistake").isFalse();
        Files.delete(path);
        assertThat(file.poll()).as("is being replaced").isFalse();
        Files.writeString(path, "services: {a: {balance: least-loaded}}");
        assertThat(file.poll()).isTrue();

        assertThat(taken.stream().map(FollowedFileTest::balance))
                .containsExactly(new Balance.Demand(22), new Balance.LeastLoaded());
    }

    @Test
    void whoRefusesWhatItSaysChangesNothing() throws IOException {
        Path path = folder.resolve("cleave.yaml");
        FollowedFile file = FollowedFile.of(path, bindings -> {
            throw new IllegalArgumentException("not that");
        });
        Files.writeString(path, "application: a");

        assertThat(file.poll()).isFalse();
    }
}
