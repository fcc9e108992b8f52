package dev.cleave.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.Refusal;
import dev.cleave.agent.plan.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextReportTest {

    @Test
    void showsVerdictsReasonsAndCountersInColumns() {
        Refusal refusal = new Refusal("R43", 58, "Log.all calls code that the agent does not know", "make it final");
        Refusal plain = new Refusal("R16", 7, "no other call stands near it", "");
        String text = TextReport.write(
                List.of(
                        new MethodVerdicts(
                                "com.shop.Search",
                                "best",
                                List.of(
                                        new Verdict(41, "Compare.score", Verdict.Outcome.PIPELINED, 64, null),
                                        new Verdict(157, "Stock.level", Verdict.Outcome.SEQUENTIAL, 1, refusal))),
                        new MethodVerdicts(
                                "com.shop.Main",
                                "main",
                                List.of(new Verdict(7, "Stock.level", Verdict.Outcome.SEQUENTIAL, 1, plain)))),
                List.of("com.shop.Search.best\t41\tCompare.score\t200\t199\t1\t0\t68900000\t1037100000\t16"));

        assertThat(text).isEqualTo("""
                        cleave: 3 remote calls in 2 classes: 1 pipelined, 0 split, 2 sequential

                        com.shop.Main
                          main()
                              7  Stock.level    sequential     R16: no other call stands near it

                        com.shop.Search
                          best()
                             41  Compare.score  pipelined(64)
                            157  Stock.level    sequential     R43, line 58: Log.all calls code that the agent does not know
                                                               to free it: make it final

                        in this run
                          place                 line  call           sent  awaited  given up  as written  blocked  overlapped  in flight
                          com.shop.Search.best    41  Compare.score   200      199         1           0  68.9 ms   1037.1 ms         16
                        """);
    }
}
