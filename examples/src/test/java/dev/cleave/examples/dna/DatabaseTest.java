package dev.cleave.examples.dna;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class DatabaseTest {

    @Test
    void everyThirdOrchidIsNew() throws IOException {
        Database database = Database.load();

        assertThat(database.queries()).hasSize(32);
        assertThat(database.queries().get(1).accession()).isEqualTo("Z78530.1");
        assertThat(database.known()).hasSize(62 + 96);
    }

    @Test
    void windowsCoverTheGenomeInSteps() throws IOException {
        List<Sequence> windows = Database.load().known().subList(62, 158);

        assertThat(windows).allSatisfy(w -> assertThat(w.letters()).hasSize(Database.WINDOW));
        assertThat(windows.get(1).name())
                .isEqualTo("Enterobacteria phage lambda, complete genome, letters 501 to 1500");
        assertThat(windows.get(0).letters().substring(500))
                .isEqualTo(windows.get(1).letters().substring(0, 500));
    }

    @Test
    void windowsOfAShortGenomeAreTheGenome() {
        assertThat(Database.windows(new Sequence("g", "ACGT")))
                .containsExactly(new Sequence("g, letters 1 to 4", "ACGT"));
    }

    @Test
    void catalogueAnswersFromTheHeaders() throws IOException {
        DatabaseCatalogue catalogue = new DatabaseCatalogue();

        assertThat(catalogue.accession(0)).isEqualTo("Z78532.1");
        assertThat(catalogue.organism(0)).isEqualTo("C.californicum");
        assertThat(catalogue.name(0)).isEqualTo("C.californicum 5.8S rRNA gene and ITS1 and ITS2 DNA");
        assertThat(catalogue.accession(62)).isEqualTo("NC_001416.1");
        assertThat(catalogue.organism(62)).isEqualTo("Enterobacteria phage lambda");
    }
}
