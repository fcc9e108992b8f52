package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SiteNameTest {

    private static boolean fits(String name) {
        return new SiteName(name).fits("com.shop.Search.best", 41, "Compare.score");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "com",
                "com.shop",
                "com.shop.Search",
                "Search",
                "Search.best",
                "best",
                "com.shop.Search.best",
                "com.shop.Search.best:41",
                "Search.best:41",
                "Compare",
                "score",
                "Compare.score"
            })
    void fitsWholeWords(String name) {
        assertThat(fits(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shop.Sea",
                "earch.best",
                "Search.best:4",
                "Search.best:411",
                "Search:41",
                "com.Search",
                "Compare.score:41",
                "**",
                "Search.*"
            })
    void fitsNothingElse(String name) {
        assertThat(fits(name)).isFalse();
    }

    @Test
    void refusesBlanks() {
        assertThatThrownBy(() -> new SiteName(" Search"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("name: ' Search' (expected: *, or words of Class.method, Class.method:line or"
                        + " Interface.method)");
        assertThatThrownBy(() -> new SiteName("")).isInstanceOf(IllegalArgumentException.class);
    }
}
