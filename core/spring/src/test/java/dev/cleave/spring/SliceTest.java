package dev.cleave.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.spring.InProcessTest.FakeInventory;
import dev.cleave.spring.InProcessTest.Till;
import dev.cleave.spring.test.InProcessCleave;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.context.annotation.Import;

/** One of Spring Boot's slices, which leave out all auto-configuration but their own. */
@Import({Till.class, FakeInventory.class})
@InProcessCleave
@JsonTest
class SliceTest {

    @EnableAutoConfiguration
    @SpringBootConfiguration
    static class Application {}

    @Test
    void aSliceHasTheNodeOfTheTest(@Autowired Till till) {
        assertThat(till.receipt()).isEqualTo("fake 1, fake 2");
    }
}
