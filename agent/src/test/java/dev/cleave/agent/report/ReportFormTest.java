package dev.cleave.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class ReportFormTest {

    @Test
    void endingOfTheFileChooses() {
        assertThat(ReportForm.ofFile("a.txt")).isEqualTo(ReportForm.TEXT);
        assertThat(ReportForm.ofFile("client.report")).isEqualTo(ReportForm.TEXT);
        assertThat(ReportForm.ofFile("dir.html/a.JSON")).isEqualTo(ReportForm.JSON);
        assertThat(ReportForm.ofFile("a.html")).isEqualTo(ReportForm.HTML);
        assertThat(ReportForm.ofFile("a.htm")).isEqualTo(ReportForm.HTML);
    }

    @Test
    void everyFormWrites() {
        assertThat(ReportForm.TEXT.write(Samples.REPORT)).startsWith("cleave: 3");
        assertThat(ReportForm.JSON.write(Samples.REPORT)).startsWith("{");
        assertThat(ReportForm.HTML.write(Samples.REPORT)).startsWith("<!DOCTYPE html>");
    }

    @Test
    void figuresOfAnotherShapeAreLeftOut() {
        assertThat(SiteFigures.parse("a\t1\n\nb\t-1\tC.d\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\tenough\n"))
                .containsExactly(new SiteFigures("b", -1, "C.d", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, "enough"));
    }

    @Test
    void argumentsThatWereNotSentAreCounted() {
        SiteFigures site = new SiteFigures("b", 1, "C.d", 1, 2, 3, 4, 5, 6, 7, 0, 0, 4096, "");

        assertThat(Wording.spared(site)).isEqualTo("4,096 bytes of arguments were not sent again: the server had them");
    }
}
