package dev.cleave.broker.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class ScratchFolderTest {

    @TempDir
    Path directory;

    /** A command that is at work until it is ended. */
    static final class Holder {

        private Holder() {}

        /** Says where its folder is, and waits for the end of its input. */
        public static void main(String[] args) throws IOException {
            ScratchFolder folder = ScratchFolder.open("held");
            Files.createDirectories(folder.path().resolve("below"));
            Files.writeString(folder.path().resolve("below/file"), "text");
            System.out.println(folder.path());
            System.exit(System.in.read());
        }
    }

    private Process holder() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Djava.io.tmpdir=" + directory,
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static Path folderOf(Process holder) throws IOException {
        BufferedReader out = holder.inputReader();
        return Path.of(out.readLine());
    }

    private List<Path> left() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aFolderThatIsClosedIsGone() throws IOException {
        try (ScratchFolder folder = ScratchFolder.open("a", directory)) {
            Files.createDirectories(folder.path().resolve("x/y"));
            Files.writeString(folder.path().resolve("x/y/z"), "text");
            assertThat(left()).containsExactly(folder.path());
        }

        assertThat(left()).isEmpty();
    }

    @Test
    void aKeptFolderStaysAlsoWhenOthersStart() throws IOException {
        Path kept;
        try (ScratchFolder folder = ScratchFolder.open("a", directory)) {
            Files.writeString(folder.path().resolve("log"), "why");
            folder.keep();
            kept = folder.path();
        }
        ScratchFolder.open("b", directory).close();

        assertThat(left()).containsExactly(kept);
    }

    @Test
    void theFilesOfAnActionStayOnlyIfItFails() throws IOException {
        assertThat(ScratchFolder.<Integer>use("fine", directory, folder -> 1)).isEqualTo(1);
        assertThat(left()).isEmpty();

        assertThatThrownBy(() -> ScratchFolder.use("failing", directory, folder -> {
                    throw new IOException("as told");
                }))
                .hasMessage("as told");
        assertThat(left()).as("a folder without files tells nobody anything").isEmpty();

        assertThatThrownBy(() -> ScratchFolder.use("failing", directory, folder -> {
                    Files.writeString(folder.path().resolve("log"), "why");
                    throw new IOException("as told");
                }))
                .hasMessage("as told");
        assertThat(left()).hasSize(1);
    }

    @Test
    void whatWasLeftToBeReadIsDeletedAfterAWeek() throws IOException {
        for (int days : List.of(6, 8)) {
            try (ScratchFolder folder = ScratchFolder.open("d" + days, directory)) {
                Files.writeString(folder.path().resolve("log"), "why");
                folder.keep();
                Files.setLastModifiedTime(
                        folder.path(), FileTime.from(Instant.now().minus(Duration.ofDays(days))));
            }
        }
        assertThat(left()).hasSize(2);

        ScratchFolder.open("next", directory).close();

        assertThat(left()).hasSize(1).allMatch(folder -> folder.toString().contains("-d6-"));
    }

    @Test
    void sigtermLeavesNothing() throws Exception {
        Process holder = holder();
        Path folder = folderOf(holder);
        assertThat(left()).containsExactly(folder);

        holder.destroy();

        assertThat(holder.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(left()).isEmpty();
    }

    @Test
    void whatAKilledProcessLeftIsRemovedByTheNextStartAndWhatALivingOneHasIsNot() throws Exception {
        Process killed = holder();
        Path leftBehind = folderOf(killed);
        Process living = holder();
        Path used = folderOf(living);
        killed.destroyForcibly().waitFor();
        assertThat(left()).containsExactlyInAnyOrder(leftBehind, used);

        try (ScratchFolder next = ScratchFolder.open("next", directory)) {
            assertThat(left()).containsExactlyInAnyOrder(used, next.path());
            assertThat(used.resolve("below/file")).exists();
        }

        living.getOutputStream().close();
        living.destroy();
        assertThat(living.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(left()).isEmpty();
    }
}
