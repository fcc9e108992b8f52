package dev.cleave.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A call in a bean that a loop of another class comes to by an interface: the report names that loop. */
@Tag("one-jdk")
class CallersLoopTest {

    private static final String PRICES = "package com.shop; public interface Prices { int price(String article); }";

    private static final String BEAN = """
            package com.shop;
            public class PriceBean implements Prices {
                private final Stock stock;
                public PriceBean(Stock stock) { this.stock = stock; }
                public int price(String article) {
                    return stock.level(article) * 3;
                }
            }
            """;

    private static final String CALLER = """
            package com.shop;
            import java.util.List;
            public class Caller {
                static int run(%s prices, List<String> articles) {
                    int sum = 0;
                    for (String article : articles) {
                        sum += prices.price(article);
                    }
                    return sum;
                }
            }
            """;

    @TempDir
    Path directory;

    private Path classes;

    @BeforeEach
    void compile() throws IOException {
        classes = ShopProgram.compile(directory);
    }

    private void add(String name, String source) throws IOException {
        ShopProgram.add(classes, name, source);
    }

    private String explain() throws IOException {
        StringWriter out = new StringWriter();
        AgentCommands.explain(new PrintWriter(out), List.of(classes.toString()), null, null, null, false, List.of());
        return out.toString();
    }

    @Test
    void namesTheLoopThatCallsABeanThroughAnInterface() throws IOException {
        add("Prices", PRICES);
        add("PriceBean", BEAN);
        add("Caller", CALLER.formatted("Prices"));

        assertThat(explain())
                .contains("R16: Caller.run (Caller.java:7) calls PriceBean.price through Prices in a loop")
                .contains(
                        "to free it: let the variable there have the type PriceBean: calls through Prices are not followed");
    }

    @Test
    void theAdviceFreesTheCall() throws IOException {
        add("Prices", PRICES);
        add("PriceBean", BEAN);
        add("Caller", CALLER.formatted("PriceBean"));

        assertThat(explain())
                .contains("7  PriceBean.price > Stock.level  pipelined(8)")
                .doesNotContain("in a loop");
    }

    @Test
    void namesTheLoopAlsoWhereTheMethodHasNoStyle() throws IOException {
        add("Prices", PRICES);
        add("PriceBean", BEAN.replace("return stock.level(article) * 3;", "stock.order(article); return 3;"));
        add("Caller", CALLER.formatted("Prices"));

        assertThat(explain())
                .contains(
                        "R10: the method has no call style that allows it to move, and Caller.run (Caller.java:7) calls PriceBean.price through Prices in a loop")
                .contains("mark it @Async, or set its style in the application file; then let the variable there have");
    }

    @Test
    void namesTheLoopThatCallsThroughAClassAboveOrAnInterfaceFartherAbove() throws IOException {
        add("Prices", PRICES);
        add("Base", "package com.shop; public abstract class Base implements Prices { }");
        add("PriceBean", BEAN.replace("implements Prices", "extends Base"));
        add("Caller", CALLER.formatted("Prices"));
        assertThat(explain()).contains("Caller.run (Caller.java:7) calls PriceBean.price through Prices in a loop");

        add("Caller", CALLER.formatted("Base"));
        assertThat(explain()).contains("Caller.run (Caller.java:7) calls PriceBean.price through Base in a loop");
    }

    @Test
    void saysNothingOfACallOutsideALoopOrOfAnotherMethod() throws IOException {
        add("Prices", PRICES);
        add("PriceBean", BEAN);
        add(
                "Caller",
                "package com.shop; class Caller { static int run(Prices p) { for (int i = 0; i < 3; i++) { p.hashCode(); } return p.price(\"a\"); } }");

        assertThat(explain()).doesNotContain("in a loop").contains("R16: no other call stands near it");
    }
}
