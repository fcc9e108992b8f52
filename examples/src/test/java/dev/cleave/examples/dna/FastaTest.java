package dev.cleave.examples.dna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class FastaTest {

    @Test
    void joinsTheLinesOfASequence() throws IOException {
        List<Sequence> read = read(">one first\nACGT\nac\n\n>two\r\nGG\r\n");

        assertThat(read).containsExactly(new Sequence("one first", "ACGTAC"), new Sequence("two", "GG"));
    }

    @Test
    void readsNothingFromAnEmptyFile() throws IOException {
        assertThat(read("")).isEmpty();
    }

    @Test
    void namesTheLineOfLettersWithoutHeader() {
        assertThatThrownBy(() -> read("\nACGT\n"))
                .isInstanceOf(IOException.class)
                .hasMessage("x.fasta:2: letters before the first header (expected: a line that begins with >)");
    }

    @Test
    void namesTheLineOfASign() {
        assertThatThrownBy(() -> read(">a\nAC\nA-C\n")).hasMessage("x.fasta:3: '-' (expected: a letter)");
    }

    @Test
    void namesTheLineOfAHeaderWithoutLetters() {
        assertThatThrownBy(() -> read(">a\nAC\n>b\n>c\nA\n")).hasMessage("x.fasta:3: no letters below the header b");
    }

    private static List<Sequence> read(String text) throws IOException {
        return Fasta.read(new StringReader(text), "x.fasta");
    }
}
