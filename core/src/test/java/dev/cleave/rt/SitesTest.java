package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.rt.RtTest.Doubler;
import dev.cleave.rt.RtTest.StubA;
import dev.cleave.rt.RtTest.StubB;
import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMX;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class SitesTest {

    private static final MethodType SEND = MethodType.methodType(Object.class, Doubler.class, int.class);

    private static CallSite site(String place, int line) {
        return Rt.send(MethodHandles.lookup(), "twice", SEND, place, line);
    }

    private static boolean sends(CallSite site, Doubler receiver) throws Throwable {
        Object sent = site.dynamicInvoker().invoke(receiver, 4);
        if (sent != null) {
            assertThat(Rt.awaitInt(sent)).isEqualTo(8);
        }
        return sent != null;
    }

    @AfterEach
    void switchOn() {
        Sites.switchOn();
    }

    @Test
    void switchesOneCallOffAndOn() throws Throwable {
        CallSite here = site("SitesTest.one", 1);
        CallSite there = site("SitesTest.one", 2);
        assertThat(sends(here, new StubA())).isTrue();

        Sites.switchOff("SitesTest.one:1");

        assertThat(sends(here, new StubA())).isFalse();
        assertThat(sends(here, new StubB())).isFalse();
        assertThat(sends(there, new StubA())).isTrue();
        assertThat(Sites.switchedOff()).containsExactly("SitesTest.one:1");

        assertThat(Sites.switchOn("SitesTest.one:1")).isTrue();
        assertThat(Sites.switchOn("SitesTest.one:1")).isFalse();

        assertThat(sends(here, new StubB())).isTrue();
        assertThat(sends(here, new StubA())).isTrue();
    }

    @Test
    void holdsForCallsReachedLater() throws Throwable {
        Sites.switchOff("SitesTest.later");

        CallSite site = site("SitesTest.later", 1);

        assertThat(sends(site, new StubA())).isFalse();
        Sites.switchOn();
        assertThat(sends(site, new StubA())).isTrue();
    }

    @Test
    void switchesByTheRemoteMethod() throws Throwable {
        CallSite site = site("SitesTest.byMethod", 1);
        Sites.switchOff("Doubler.twice");

        assertThat(sends(site, new StubA())).isFalse();
        assertThat(Rt.isStub(new StubA())).isTrue();
    }

    @Test
    void whatAFileSwitchesOffStaysOffUntilEachOwnerTakesItBack() throws Throwable {
        CallSite site = site("SitesTest.byFile", 1);
        Sites.switchOffByFile("one", List.of("Doubler.twice"));
        Sites.switchOffByFile("other", List.of("Doubler.twice"));
        Sites.switchOn();
        assertThat(sends(site, new StubA())).isFalse();

        Sites.switchOffByFile("one", List.of());
        assertThat(sends(site, new StubA())).isFalse();
        Sites.switchOffByFile("other", List.of("Doubler.thrice"));
        assertThat(sends(site, new StubA())).isTrue();
        Sites.switchOffByFile("other", List.of());

        assertThat(Sites.switchedOff()).isEmpty();
    }

    @Test
    void aNarrowerNameStaysOffWhenAWiderOneIsTakenBack() throws Throwable {
        CallSite site = site("SitesTest.nested", 1);
        Sites.switchOff("SitesTest.nested");
        Sites.switchOff();
        assertThat(sends(site, new StubA())).isFalse();
        Sites.switchOn("*");

        assertThat(sends(site, new StubA())).isFalse();
        assertThat(Rt.isStub(new StubA())).isTrue();
    }

    @Test
    void countsWhatRanAsWrittenWhileOff() throws Throwable {
        CallSite site = site("SitesTest.counted", 9);
        sends(site, new StubA());
        Sites.switchOff("SitesTest.counted");
        sends(site, new StubA());
        sends(site, new StubA());

        SiteCounters counted = Sites.counters().stream()
                .filter(c -> c.place().equals("SitesTest.counted"))
                .findFirst()
                .orElseThrow();
        assertThat(counted.sends()).isEqualTo(1);
        assertThat(counted.declined()).isEqualTo(2);
    }

    @Test
    void maySwitchWhileOthersSend() throws Throwable {
        CallSite site = site("SitesTest.race", 1);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger sent = new AtomicInteger();
        AtomicInteger declined = new AtomicInteger();
        List<Throwable> failures = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (Doubler stub : List.of(new StubA(), new StubB())) {
            Thread thread = new Thread(() -> {
                try {
                    while (!stop.get()) {
                        (sends(site, stub) ? sent : declined).incrementAndGet();
                    }
                } catch (Throwable t) {
                    synchronized (failures) {
                        failures.add(t);
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (int round = 0; round < 50; round++) {
            Sites.switchOff("SitesTest.race");
            int before = declined.get();
            while (declined.get() < before + 3 && failures.isEmpty()) {
                Thread.onSpinWait();
            }
            Sites.switchOn("SitesTest.race");
            before = sent.get();
            while (sent.get() < before + 3 && failures.isEmpty()) {
                Thread.onSpinWait();
            }
        }
        stop.set(true);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(failures).isEmpty();
        assertThat(sends(site, new StubA())).isTrue();
    }

    @Test
    void isAnMBean() throws Throwable {
        SitesBean.register();
        ObjectName name = new ObjectName("dev.cleave:type=Sites");
        try {
            SitesMXBean bean = JMX.newMXBeanProxy(ManagementFactory.getPlatformMBeanServer(), name, SitesMXBean.class);
            CallSite site = site("SitesTest.jmx", 3);
            assertThat(sends(site, new StubA())).isTrue();

            bean.switchOff("SitesTest.jmx");

            assertThat(sends(site, new StubA())).isFalse();
            assertThat(bean.getSwitchedOff()).containsExactly("SitesTest.jmx");
            assertThat(bean.getCounters()).anyMatch(line -> line.startsWith("SitesTest.jmx\t3\tDoubler.twice\t1\t"));
            assertThat(bean.switchOn("SitesTest.jmx")).isTrue();
            assertThat(sends(site, new StubA())).isTrue();
        } finally {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        }
    }
}
