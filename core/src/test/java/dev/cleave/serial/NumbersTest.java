package dev.cleave.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class NumbersTest {

    private final Numbers numbers = new Numbers();

    @Test
    void numbersAreDenseAndStay() {
        assertThat(numbers.numberOf("a")).isZero();
        assertThat(numbers.numberOf("b")).isEqualTo(1);
        assertThat(numbers.numberOf("a")).isZero();
        assertThat(numbers.names(0, 1)).containsExactly("a", "b");
    }

    @Test
    void eachPeerIsToldEachNumberOnceInOrder() {
        List<String> told = new ArrayList<>();
        Announcements announcements = new Announcements(numbers, (first, names) -> told.add(first + "=" + names));
        numbers.numberOf("a");
        numbers.numberOf("b");
        numbers.numberOf("c");

        announcements.upTo(-1);
        announcements.upTo(1);
        announcements.upTo(0);
        announcements.upTo(2);

        assertThat(told).containsExactly("0=[a, b]", "2=[c]");
    }

    @Test
    void announcementsOneByOneCopyTheNamesSeldom() {
        AnnouncedNames names = new AnnouncedNames();
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        List<String> one = List.of("x");
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        for (int i = 0; i < AnnouncedNames.MAX_NAMES; i++) {
            names.announced(i, one);
        }
        long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());

        assertThat(names.size()).isEqualTo(AnnouncedNames.MAX_NAMES);
        assertThat(names.name(AnnouncedNames.MAX_NAMES - 1)).isEqualTo("x");
        assertThat(after - before).isLessThan(32 << 20); // one copy for each took gigabytes
    }

    @Test
    void announcementsMustContinueAndAreBounded() {
        AnnouncedNames names = new AnnouncedNames();
        names.announced(0, List.of("a"));

        assertThatThrownBy(() -> names.announced(2, List.of("c")))
                .isInstanceOf(SerialException.class)
                .hasMessage("first announced number: 2 (expected: 1)");
        assertThatThrownBy(() -> names.name(1)).isInstanceOf(SerialException.class);
        assertThatThrownBy(() -> names.name(-1)).isInstanceOf(SerialException.class);
        assertThatThrownBy(() -> names.announced(1, Collections.nCopies(AnnouncedNames.MAX_NAMES, "x")))
                .hasMessageContaining("expected: at most 65536");
        assertThatThrownBy(() -> names.announced(1, List.of("x".repeat(AnnouncedNames.MAX_CHARS))))
                .isInstanceOf(SerialException.class);
    }
}
