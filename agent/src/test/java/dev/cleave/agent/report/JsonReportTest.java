package dev.cleave.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class JsonReportTest {

    @Test
    void holdsSitesAndCountersInOneObject() {
        String json = JsonReport.write(Samples.REPORT);

        assertThat(json).startsWith("""
                {
                  "summary": {
                    "calls": 3,
                    "classes": 2,
                """).endsWith("}\n");
        assertThat(json).contains("""
                    {
                      "class": "com.shop.Search",
                      "method": "best",
                      "line": 157,
                      "call": "Stock.level",
                      "helper": false,
                      "verdict": "sequential",
                      "window": null,
                      "rule": "R43",
                      "reason": "Log.all calls code that the agent does not know",
                      "blocking_line": 58,
                      "advice": "make it final",
                      "word": "@Pure",
                      "with_word": "prefetched(64)"
                    }
                  ],
                  "nests": [],
                  "run": [
                    {
                      "place": "com.shop.Search.best",
                      "line": 41,
                      "call": "Compare.score",
                      "sent": 200,
                      "awaited": 199,
                      "given_up": 1,
                      "as_written": 0,
                      "blocked_ns": 68900000,
                      "overlapped_ns": 1037100000,
                      "in_flight": 16,
                      "stayed": 0,
                      "stayed_bytes": 0,
                      "spared_bytes": 0,
                      "note": null
                    }
                  ],
                  "overhead": {
                    "at_most_percent": 6.2,
                    "span_ns": 1106000000,
                    "blocked_ns": 68900000
                  },
                  "notes": []
                }
                """);
    }

    @Test
    void tellsWhichCallsOfANestWait() {
        assertThat(JsonReport.write(Samples.NEST)).contains("""
                  "nests": [
                    {
                      "class": "com.shop.Bill",
                      "method": "sum",
                      "line": 12,
                      "recursion": false,
                      "critical_path": 2,
                      "steps": [
                        {
                          "place": "com.shop.Bill.sum",
                          "line": 12,
                          "call": "Shop.orders",
                          "depth": 1,
                          "follows": true,
                          "waits_for": []
                        },
                        {
                          "place": "com.shop.Bill.order",
                          "line": 20,
                          "call": "Shop.price",
                          "depth": 2,
                          "follows": false,
                          "waits_for": [
                            "Shop.orders"
                          ]
                        }
                      ],
                      "change": "line 12, Shop.orders: a method that gives several of these results at once"
                    }
                  ],
                """).contains("""
                  "overhead": null,
                """);
    }

    @Test
    void quotesWhatJsonCannotHold() {
        String note = "a\"b\\c\n\t\u0001\u2028\uD83D\uDE00 \u00e9";

        assertThat(JsonReport.write(new Report(List.of(), List.of(note))))
                .contains("\"a\\\"b\\\\c\\n\\t\\u0001\\u2028\\ud83d\\ude00 \u00e9\"");
    }
}
