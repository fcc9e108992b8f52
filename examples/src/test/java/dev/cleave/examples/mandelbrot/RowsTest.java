package dev.cleave.examples.mandelbrot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class RowsTest {

    private final Rows rows = new Rows();

    @Test
    void pointsOfTheSetDoNotEscape() {
        assertThat(Rows.escape(0, 0)).isZero();
        assertThat(Rows.escape(-1, 0)).isZero();
        assertThat(Rows.escape(-0.1, 0.1)).isZero();
    }

    @Test
    void pointsOutsideEscapeAtAKnownStep() {
        assertThat(Rows.escape(3, 0)).isEqualTo(1);
        assertThat(Rows.escape(1, 0)).isEqualTo(3);
        assertThat(Rows.escape(-1.8, 1.2)).isEqualTo(1);
    }

    @Test
    void pictureShowsTheWholeSet() {
        int inside = IntStream.range(0, Rows.SIZE)
                .map(row ->
                        (int) IntStream.of(rows.row(row)).filter(s -> s == 0).count())
                .sum();
        IntStream border = IntStream.concat(IntStream.of(rows.row(0)), IntStream.of(rows.row(Rows.SIZE - 1)));

        assertThat(border.filter(s -> s == 0)).isEmpty();
        assertThat((double) inside / Rows.SIZE / Rows.SIZE).isBetween(0.20, 0.35);
    }

    @Test
    void pictureIsItsOwnMirrorImage() {
        for (int row = 0; row < Rows.SIZE / 2; row++) {
            assertThat(rows.row(row)).hasSize(Rows.SIZE).isEqualTo(rows.row(Rows.SIZE - 1 - row));
        }
    }

    @Test
    void rejectsARowOutsideThePicture() {
        assertThatThrownBy(() -> rows.row(200)).hasMessage("row: 200 (expected: 0..199)");
    }

    @Test
    void queuedRowsTakeTheirTimeTogether() {
        PacedRows paced = new PacedRows(Map.of("row", "3000"));
        long begin = System.nanoTime();

        for (int row = 0; row < 20; row++) {
            paced.row(row);
        }

        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(19 * 3_000_000);
    }

    @Test
    void pacedRowIsTheRowAndTakesItsTime() {
        PacedRows paced = new PacedRows(Map.of("row", "5000"));
        long begin = System.nanoTime();

        int[] row = paced.row(77);

        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(5_000_000);
        assertThat(row).isEqualTo(rows.row(77));
    }

    @Test
    void pacedRowsNeedTheirOption() {
        assertThatThrownBy(() -> new PacedRows(Map.of("rows", "5")))
                .hasMessage("options: [rows] (expected: row, the microseconds that a row takes)");
    }
}
