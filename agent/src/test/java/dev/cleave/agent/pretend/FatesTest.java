package dev.cleave.agent.pretend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FatesTest {

    @TempDir
    Path folder;

    @Test
    void readsAllReportsOfAFolder() throws IOException {
        Files.writeString(
                folder.resolve("TEST-junit-vintage.xml"),
                "<testsuite><testcase classname='a.ATest' name='one'/>"
                        + "<testcase classname='a.ATest' name='two'><failure/></testcase></testsuite>");
        Files.writeString(
                folder.resolve("TEST-junit-jupiter.xml"),
                "<testsuite><testcase classname='a.BTest' name='one'><skipped/></testcase>"
                        + "<testcase classname='a.BTest' name='two'><error/></testcase></testsuite>");

        Fates fates = Fates.read(folder);

        assertThat(fates.count()).isEqualTo(Map.of("passed", 1L, "failed", 2L, "skipped", 1L));
    }

    @Test
    void tellsTestsThatDiffer() throws IOException {
        Fates written = read("<testcase classname='ATest' name='one'/><testcase classname='ATest' name='two'/>");
        Fates rewritten = read("<testcase classname='ATest' name='one'><failure/></testcase>"
                + "<testcase classname='ATest' name='two'/>");

        assertThat(written.differences(written)).isEmpty();
        assertThat(written.differences(rewritten)).containsExactly("ATest.one: [passed], [failed]");
    }

    @Test
    void aTestThatDidNotRunDiffers() throws IOException {
        Fates written = read("<testcase classname='ATest' name='one'/><testcase classname='ATest' name='two'/>");
        Fates rewritten = read("<testcase classname='ATest' name='one'/>");

        assertThat(written.differences(rewritten)).containsExactly("ATest.two: [passed], []");
    }

    @Test
    void testsOfOneNameAreComparedAsAWhole() throws IOException {
        String both =
                "<testcase classname='ATest' name='one'/><testcase classname='ATest' name='one'><error/></testcase>";

        assertThat(read(both).differences(read("<testcase classname='ATest' name='one'/>")))
                .containsExactly("ATest.one: [failed, passed], [passed]");
    }

    @Test
    void refusesAFolderWithoutTests() throws IOException {
        Files.writeString(folder.resolve("TEST-junit-jupiter.xml"), "<testsuite/>");

        assertThatThrownBy(() -> Fates.read(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no test");
    }

    private Fates read(String tests) throws IOException {
        Files.writeString(folder.resolve("TEST-junit-vintage.xml"), "<testsuite>" + tests + "</testsuite>");
        return Fates.read(folder);
    }
}
