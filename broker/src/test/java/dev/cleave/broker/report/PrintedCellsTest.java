package dev.cleave.broker.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.process.ProcessException;
import dev.cleave.broker.store.StoreException;
import dev.cleave.text.Printable;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Names of peers and files in tables, pages and records: they neither steer a terminal nor forge a line. */
@Tag("one-jdk")
class PrintedCellsTest {

    private static final String HOSTILE = "a\u001b[2J\nb\u202e\u009b31m\u007f";

    @Test
    void tablesShowThemAsText() {
        TextTable table = new TextTable("service", "calls");
        table.add(HOSTILE, "1");
        table.add("b", "10");

        List<String> lines = table.lines();

        assertThat(lines).hasSize(3).allMatch(Printable::isLine);
        assertThat(lines).allMatch(line -> line.length() == lines.get(0).length());
    }

    @Test
    void recordsShowThemAsText() {
        String json = Json.array(List.of(Json.record("service", HOSTILE)));

        assertThat(json.lines()).hasSize(3).allMatch(Printable::isLine);
        assertThat(json).contains("\\u001b[2J\\u000ab\\u202e\\u009b31m\\u007f");
    }

    @Test
    void pagesShowThemAsText() {
        assertThat(HtmlPage.escape(HOSTILE).lines()).hasSize(2).allMatch(Printable::isLine);
    }

    @Test
    void messagesAboutProcessesAndTheStoreShowThemAsText() {
        assertThat(new ProcessException(HOSTILE, null).getMessage()).matches(Printable::isLine);
        assertThat(new StoreException(HOSTILE, null).getMessage()).matches(Printable::isLine);
    }
}
