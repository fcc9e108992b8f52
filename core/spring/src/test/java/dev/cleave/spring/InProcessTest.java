package dev.cleave.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.call.Stub;
import dev.cleave.spring.test.InProcessCleave;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** A test of an application without a broker, ports and the applications that it calls. */
@InProcessCleave
@SpringBootTest(classes = InProcessTest.Slice.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
class InProcessTest {

    @Autowired
    private Till till;

    /** The code under test. */
    static class Till {

        @CleaveReference
        Inventory inventory;

        String receipt() {
            return inventory.item(1) + ", " + inventory.item(2);
        }
    }

    /** Takes the place of the remote service. */
    @CleaveService
    static class FakeInventory implements Inventory {

        @Override
        public String item(int number) {
            return "fake " + number;
        }
    }

    /** No auto-configuration but that of the annotation. */
    @Configuration(proxyBeanMethods = false)
    @Import({Till.class, FakeInventory.class})
    static class Slice {}

    @Test
    void callsReachTheBeansOfTheTest() {
        assertThat(till.inventory).isInstanceOf(Stub.class);
        assertThat(till.receipt()).isEqualTo("fake 1, fake 2");
    }
}
