package dev.cleave.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class TextReportTest {

    @Test
    void showsVerdictsReasonsAndCountersInColumns() {
        assertThat(TextReport.write(Samples.REPORT)).isEqualTo("""
                        cleave: 3 remote calls in 2 classes: 1 pipelined, 2 sequential
                        @Pure on Stock.level would free 1 call

                        com.shop.Main
                          main()
                              7  Stock.level    sequential     R16: no other call stands near it
                                                               to free it: put it beside another call, or into a loop

                        com.shop.Search
                          best()
                             41  Compare.score  pipelined(64)
                            157  Stock.level    sequential     R43, line 58: Log.all calls code that the agent does not know
                                                               to free it: make it final
                                                               with @Pure: prefetched(64)

                        in this run
                          place                 line  call           sent  awaited  given up  as written  blocked  overlapped  in flight
                          com.shop.Search.best    41  Compare.score   200      199         1           0  68.9 ms   1037.1 ms         16
                        overhead: at most 6.2 %: blocked for calls for 68.9 ms of 1106.0 ms, from the first call to the end of the last wait
                        """);
    }

    @Test
    void showsWhichCallsOfANestWait() {
        assertThat(TextReport.write(Samples.NEST)).contains("""
                com.shop.Bill
                  sum()
                    12  Shop.orders  pipelined(64)
                    nest at line 12: 2 calls, critical path of 2 calls a pass; in this run 75 % of the time of its calls overlapped
                      >.  12  Shop.orders  each waits for one before it
                      .#  20  Shop.price   waits for Shop.orders
                      to shorten it: line 12, Shop.orders: a method that gives several of these results at once
                """);
    }

    @Test
    void aProgramWithoutRewrittenCallsHasAnOverheadToo() {
        assertThat(TextReport.write(new Report(List.of(), List.of(), Overhead.parse("2000000\t2000000"), List.of())))
                .isEqualTo("""
                        cleave: no remote calls

                        overhead: at most 100.0 %: blocked for calls for 2.0 ms of 2.0 ms, from the first call to the end of the last wait
                        """);
    }

    @Test
    void aProgramThatHasNotWaitedHasNoOverhead() {
        assertThat(Overhead.parse("0\t0")).isNull();
    }

    @Test
    void saysThatThereAreNoCalls() {
        String note = Notes.woven(List.of("d", "a", "c", "b"));

        assertThat(TextReport.write(new Report(List.of(), List.of(note))))
                .isEqualTo("cleave: no remote calls\nalready woven, left as they are: a, b, c and 1 more\n");
    }
}
