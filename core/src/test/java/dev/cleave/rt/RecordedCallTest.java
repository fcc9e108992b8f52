package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.call.Handle;
import dev.cleave.rt.RtTest.Doubler;
import dev.cleave.rt.RtTest.StubA;
import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class RecordedCallTest {

    private static final MethodType SEND = MethodType.methodType(Object.class, Doubler.class, int.class);

    private static final Duration AWAIT_THRESHOLD = Duration.ofMillis(1);

    private final CallSite site = Rt.send(MethodHandles.lookup(), "twice", SEND, "RecordedCallTest.program", 7);

    private Object send() throws Throwable {
        return site.dynamicInvoker().invoke((Doubler) new StubA(), 1);
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("dev.cleave." + name))
                .toList();
    }

    @Test
    void isNotUsedWhileNobodyRecords() {
        assertThat(FlightRecorder.call(new IntHandle(1, true), new Site("RecordedCallTest.none", 1, "A.b")))
                .isNotInstanceOf(RecordedCall.class);
    }

    @Test
    void tellsOfSendsAwaitsAndCallsGivenUp(@TempDir Path folder) throws Throwable {
        Path file = folder.resolve("calls.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("dev.cleave.Send");
            recording.enable("dev.cleave.Await").withThreshold(Duration.ZERO);
            recording.enable("dev.cleave.Discard");
            recording.start();
            Object first = send();
            Object second = send();
            assertThat(Rt.awaitInt(first)).isEqualTo(2);
            Rt.discard(second);
            recording.stop();
            recording.dump(file);
        }

        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertThat(named(events, "Send")).hasSize(2);
        assertThat(named(events, "Await")).hasSize(1);
        assertThat(named(events, "Discard")).hasSize(1);
        RecordedEvent await = named(events, "Await").get(0);
        assertThat(await.getString("place")).isEqualTo("RecordedCallTest.program");
        assertThat(await.getInt("line")).isEqualTo(7);
        assertThat(await.getString("call")).isEqualTo("Doubler.twice");
        assertThat(await.getDuration("overlapped")).isPositive();
        assertThat(named(events, "Discard").get(0).getString("call")).isEqualTo("Doubler.twice");
    }

    @Test
    void leavesOutSendsAndShortWaitsUnlessAsked(@TempDir Path folder) throws Throwable {
        Path file = folder.resolve("calls.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            Rt.awaitInt(send());
            Rt.discard(send());
            recording.stop();
            recording.dump(file);
        }

        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertThat(named(events, "Send")).isEmpty();
        // A busy machine may make any wait a long one; what is asked is that no short one is recorded.
        assertThat(named(events, "Await"))
                .allSatisfy(await -> assertThat(await.getDuration()).isGreaterThanOrEqualTo(AWAIT_THRESHOLD));
        assertThat(named(events, "Discard")).hasSize(1);
    }

    @Test
    void theWaitIsTheDurationOfTheEvent(@TempDir Path folder) throws Throwable {
        Path file = folder.resolve("calls.jfr");
        Handle slow = new IntHandle(3, true) {
            @Override
            public int awaitInt() {
                long until = System.nanoTime() + 3_000_000;
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
                return super.awaitInt();
            }
        };
        try (Recording recording = new Recording()) {
            recording.start();
            Rt.awaitInt(FlightRecorder.call(slow, new Site("RecordedCallTest.slow", 5, "A.b")));
            recording.stop();
            recording.dump(file);
        }

        List<RecordedEvent> awaits = named(RecordingFile.readAllEvents(file), "Await");
        assertThat(awaits).hasSize(1);
        assertThat(awaits.get(0).getDuration()).isGreaterThanOrEqualTo(Duration.ofMillis(3));
    }
}
