package dev.cleave.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

@Tag("one-jdk")
class HtmlReportTest {

    @Test
    void showsVerdictsReasonsAdviceAndFigures() {
        String html = HtmlReport.write(Samples.REPORT);

        assertThat(html)
                .contains("<title>Cleave: 3 remote calls in 2 classes: 1 pipelined, 2 sequential</title>")
                .contains("<span class=\"badge pipelined\">pipelined(64)</span>")
                .contains("<span class=\"rule\" title=\"Unknown code\">R43</span> <b class=\"at\">line 58</b>")
                .contains("<b>To free it:</b> make it final")
                .contains("<b>With</b> <code>@Pure</code><b>:</b> prefetched(64)")
                .contains("<td class=\"n\">1</td><td class=\"call\">Stock.<wbr>level</td><td><code>@Pure</code></td>")
                .contains("<p class=\"lead\">overhead: at most 6.2 %: blocked for calls for 68.9 ms of")
                .contains("68.9 ms", "1037.1 ms", "data-name=\"given up\">1<");
    }

    @Test
    void drawsWhichCallsOfANestWait() throws Exception {
        String html = HtmlReport.write(Samples.NEST);

        assertThat(html)
                .contains("<i class=\"follows\" style=\"margin-left:0.00%;width:50.00%\"></i>")
                .contains("<i style=\"margin-left:50.00%;width:50.00%\"></i>")
                .contains("<td class=\"step\">Shop.<wbr>price</td><td>waits for Shop.<wbr>orders</td>")
                .contains("in this run 75 % of the time of its calls overlapped");
        assertThat(elements(html)).isGreaterThan(50);
    }

    @Test
    void manyClassesHaveAnIndexAndVerdictsCanBeChosen() {
        List<MethodVerdicts> methods = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            methods.add(new MethodVerdicts(
                    "com.shop.Part" + i,
                    "run",
                    List.of(new Verdict(i, "Stock.level", Verdict.Outcome.SPLIT, 1, null))));
        }
        String html = HtmlReport.write(new Report(methods, List.of()));

        assertThat(html).contains("<a href=\"#com.shop.Part3\">", "<section class=\"type\" id=\"com.shop.Part3\">");
        assertThat(html).contains("id=\"show-split\"", "<tr class=\"split\">");
        assertThat(HtmlReport.write(Samples.REPORT)).doesNotContain("class=\"index\"");
    }

    @Test
    void needsNoOtherFile() {
        assertThat(HtmlReport.write(Samples.REPORT))
                .doesNotContain("http", "url(", "@import", "src=", "<link", "<script");
    }

    @Test
    void everyElementEnds() throws Exception {
        assertThat(elements(HtmlReport.write(Samples.REPORT))).isGreaterThan(50);
        assertThat(elements(HtmlReport.write(new Report(List.of(), List.of())))).isPositive();
        assertThat(elements(HtmlReport.write(new Report(List.of(), List.of(), Overhead.parse("2\t1"), List.of()))))
                .isPositive();
    }

    @Test
    void textOfAProgramIsNeverMarkup() throws Exception {
        String hostile = "<script>\"'&</style>";
        Verdict verdict =
                new Verdict(-1, hostile, Verdict.Outcome.SEQUENTIAL, 1, new Refusal(Rule.R1, 1, hostile, hostile));
        String html = HtmlReport.write(new Report(
                List.of(new MethodVerdicts(hostile, hostile, List.of(verdict))),
                List.of(new SiteFigures(hostile, -1, hostile, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, hostile)),
                null,
                List.of(hostile)));

        assertThat(html).doesNotContain("<script", "'&<");
        assertThat(elements(html)).isPositive();
    }

    /** The page as XML, its elements without an end ended. */
    private static int elements(String html) throws Exception {
        String xml = html.replace("<!DOCTYPE html>", "").replaceAll("<(meta [^>]*|input [^>]*|br|wbr)>", "<$1/>");
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
        return document.getElementsByTagName("*").getLength();
    }
}
