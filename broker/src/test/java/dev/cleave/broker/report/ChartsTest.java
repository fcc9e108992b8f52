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
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

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
            assertThat(parsed(LineChart.svg(lines, logarithmic))
                            .getElementsByTagName("circle")
                            .getLength())
                    .isEqualTo(2);
        }
    }
}
