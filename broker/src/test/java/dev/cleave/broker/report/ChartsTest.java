package dev.cleave.broker.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cleave.broker.report.BarChart.Bar;
import dev.cleave.broker.report.BarChart.Piece;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

@Tag("one-jdk")
class ChartsTest {

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    @Test
    void barsAreAsLongAsTheirFigures() throws Exception {
        Bar stacked = new Bar("a & b", List.of(new Piece("ours", 1), new Piece("light", 3)), 0.5, "4", "x 2");
        NodeList bars = parsed(BarChart.svg(List.of(stacked, Bar.of("", "gold", 2, "2")), BarChart.ALONE))
                .getElementsByTagName("rect");

        assertThat(bars.getLength()).isEqualTo(3);
        double unit = width(bars, 0);
        assertThat(width(bars, 1)).isCloseTo(3 * unit, within(0.5));
        assertThat(width(bars, 2)).isCloseTo(2 * unit, within(0.5));
        assertThat(unit).isGreaterThan(100);
    }

    private static double width(NodeList bars, int number) {
        return Double.parseDouble(((Element) bars.item(number)).getAttribute("width"));
    }

    @Test
    void aFigureThatIsMissingHasNoBar() throws Exception {
        Document chart = parsed(BarChart.svg(List.of(new Bar("a", List.of(), 0, "n/a", "")), BarChart.BESIDE));

        assertThat(chart.getElementsByTagName("rect").getLength()).isZero();
        assertThat(chart.getElementsByTagName("text").getLength()).isEqualTo(2);
    }

    @Test
    void linesHaveAPointForEachFigure() throws Exception {
        Map<String, TreeMap<Double, Double>> lines = Map.of("a & b", new TreeMap<>(Map.of(50.0, 0.002, 2_000.0, 1.7)));

        for (boolean logarithmic : new boolean[] {true, false}) {
            assertThat(parsed(LineChart.svg(lines, new LineChart.Axes("x", "y", logarithmic)))
                            .getElementsByTagName("circle")
                            .getLength())
                    .isEqualTo(2);
        }
    }

    @Test
    void axisOfRatiosDoesNotBeginAtZero() throws Exception {
        List<DotChart.Dot> dots =
                List.of(new DotChart.Dot("a & b", 1.05, 0.02, 0.96, 1.0), new DotChart.Dot("c", 1.01, 0, null, null));
        Document chart = parsed(DotChart.svg(dots, "ours / theirs"));

        NodeList circles = chart.getElementsByTagName("circle");
        double apart = centre(circles, 0) - centre(circles, 1);
        assertThat(apart).isGreaterThan(100);
        assertThat(chart.getElementsByTagName("path").getLength()).isEqualTo(1);
        assertThat(chart.getDocumentElement().getTextContent())
                .contains("1.00", "ours / theirs")
                .doesNotContain("0.00");
    }

    private static double centre(NodeList circles, int number) {
        return Double.parseDouble(((Element) circles.item(number)).getAttribute("cx"));
    }

    @Test
    void ratiosFarApartAreOnALogarithmicAxis() throws Exception {
        List<DotChart.Dot> dots =
                List.of(new DotChart.Dot("a", 1, 0, null, null), new DotChart.Dot("b", 200, 0, null, null));

        assertThat(parsed(DotChart.svg(dots, "ratio")).getDocumentElement().getTextContent())
                .contains("ratio (logarithmic)", "100");
    }

    @Test
    void tablesAlignNumbersToTheRight() {
        HtmlTable table =
                new HtmlTable("A & B", "name", "seconds").row("x", "1,234.5").row("y", "-");

        assertThat(table.toString())
                .contains("<caption>A &amp; B</caption>", "<th>name</th><th class=\"n\">seconds</th>")
                .contains("<td>x</td><td class=\"n\">1,234.5</td>");
    }
}
