package dev.cleave.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import javax.management.JMX;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class MeterTest {

    @Test
    void addsWhatIsCountedAndWhatIsLookedAt() {
        Meter meter = Meter.of("MeterTest.sum", () -> 100);
        LongSupplier part = () -> 5;

        meter.add(10);
        meter.add(-3);
        meter.watch(part);

        assertThat(meter.used()).isEqualTo(12);
        assertThat(meter.limit()).isEqualTo(100);
        meter.forget(part);
        assertThat(meter.used()).isEqualTo(7);
        assertThat(Meter.of("MeterTest.sum", () -> 1)).isSameAs(meter);
    }

    @Test
    void countsRefusalsByReason() {
        long before = Refusals.of("MeterTest.full");

        Meter.of("MeterTest.full", () -> 1).refused();
        Refusals.count("MeterTest.full");

        assertThat(Refusals.of("MeterTest.full")).isEqualTo(before + 2);
        assertThat(Refusals.of("MeterTest.never")).isZero();
    }

    @Test
    void isAnMBean() throws Exception {
        Meter.showAll();
        ObjectName name = new ObjectName("dev.cleave:type=Memory");
        try {
            MemoryMXBean bean =
                    JMX.newMXBeanProxy(ManagementFactory.getPlatformMBeanServer(), name, MemoryMXBean.class);
            Meter.of("MeterTest.bean", () -> 9).add(4);
            Refusals.count("MeterTest.bean");

            assertThat(bean.getUsed()).containsEntry("MeterTest.bean", 4L);
            assertThat(bean.getLimits()).containsEntry("MeterTest.bean", 9L);
            assertThat(bean.getRefusals()).containsEntry("MeterTest.bean", 1L);
        } finally {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        }
    }
}
