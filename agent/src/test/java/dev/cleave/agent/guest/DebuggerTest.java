package dev.cleave.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.StepRequest;
import dev.cleave.agent.conformance.Compiler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A debugger on rewritten methods: it sees the lines, the variables and the frames of the program as written. */
@Tag("one-jdk")
@Timeout(120)
class DebuggerTest {

    private static final String CLASS = "p.Debugged";

    private static final String SOURCE = """
            package p;

            import dev.cleave.agent.conformance.Svc;

            public class Debugged {
                private int calls;

                public static Object run(Svc s, Svc z, int n) {
                    Debugged it = new Debugged();
                    int first = it.row(s, n);
                    return first + it.sum(s, n);
                }

                int row(Svc s, int n) {
                    int a = s.f(n);
                    String name = "n" + n;
                    int b = s.g(n + 1);
                    calls++;
                    return a + 3 * b + name.length();
                }

                int sum(Svc s, int n) {
                    int sum = 0;
                    for (int i = 0; i < n; i++) {
                        int twice = i * 2;
                        int answer = s.f(twice);
                        sum += answer;
                        calls++;
                    }
                    return sum + calls;
                }
            }
            """;

    @TempDir
    Path folder;

    @Test
    void variablesFramesAndOrderAreThoseOfTheProgramAtEveryLine() throws Exception {
        String classPath =
                GuestProgram.compile(folder, Compiler.RELEASE, CLASS, SOURCE) + ":" + GuestProgram.classPath();
        List<String> written = atEveryLine(classPath, "");
        List<String> rewritten = atEveryLine(classPath, "-javaagent:" + AgentJar.path() + "=quiet");

        assertThat(written).hasSizeGreaterThan(30).anyMatch(line -> line.contains("answer="));
        assertThat(rewritten).isEqualTo(written);
    }

    @Test
    @Tag("full")
    void steppingOverGoesTheSameWay() throws Exception {
        String classPath =
                GuestProgram.compile(folder, Compiler.RELEASE, CLASS, SOURCE) + ":" + GuestProgram.classPath();
        List<String> written = steps(classPath, "");
        List<String> rewritten = steps(classPath, "-javaagent:" + AgentJar.path() + "=quiet");

        assertThat(written).hasSizeGreaterThan(20);
        assertThat(rewritten).isEqualTo(written);
    }

    /** From the first line of {@code row} and of {@code sum}: the method runs to its end, and its caller goes on. */
    @Test
    @Tag("full")
    void steppingOutOfARewrittenMethodStopsAtItsCaller() throws Exception {
        String classPath =
                GuestProgram.compile(folder, Compiler.RELEASE, CLASS, SOURCE) + ":" + GuestProgram.classPath();
        List<String> written = stepsOut(classPath, "");
        List<String> rewritten = stepsOut(classPath, "-javaagent:" + AgentJar.path() + "=quiet");

        assertThat(written).hasSizeGreaterThan(3).contains("run:10", "run:11");
        assertThat(rewritten).isEqualTo(written);
    }

    private static List<String> stepsOut(String classPath, String agent) throws Exception {
        List<String> seen = new ArrayList<>();
        debug(classPath, agent, new Listener() {
            @Override
            public void prepared(ReferenceType type, VirtualMachine vm) {
                for (String name : List.of("row", "sum")) {
                    vm.eventRequestManager()
                            .createBreakpointRequest(
                                    type.methodsByName(name).get(0).location())
                            .enable();
                }
            }

            @Override
            public void stopped(ThreadReference thread, Location location, VirtualMachine vm) {
                vm.eventRequestManager()
                        .deleteEventRequests(
                                List.copyOf(vm.eventRequestManager().stepRequests()));
                if (!location.method().name().equals("run")) {
                    StepRequest request = vm.eventRequestManager()
                            .createStepRequest(thread, StepRequest.STEP_LINE, StepRequest.STEP_OUT);
                    request.addClassFilter(CLASS);
                    request.enable();
                }
                seen.add(location.method().name() + ":" + location.lineNumber());
            }
        });
        return seen;
    }

    private static List<String> atEveryLine(String classPath, String agent) throws Exception {
        List<String> seen = new ArrayList<>();
        debug(classPath, agent, new Listener() {
            @Override
            public void prepared(ReferenceType type, VirtualMachine vm) throws AbsentInformationException {
                for (Method method : type.methods()) {
                    int last = -1;
                    for (Location location : method.allLineLocations()) {
                        if (location.lineNumber() != last && !method.isConstructor()) {
                            last = location.lineNumber();
                            BreakpointRequest request = vm.eventRequestManager().createBreakpointRequest(location);
                            request.enable();
                        }
                    }
                }
            }

            @Override
            public void stopped(ThreadReference thread, Location location, VirtualMachine vm) throws Exception {
                seen.add(describe(thread));
            }
        });
        return seen;
    }

    private static List<String> steps(String classPath, String agent) throws Exception {
        List<String> seen = new ArrayList<>();
        debug(classPath, agent, new Listener() {
            @Override
            public void prepared(ReferenceType type, VirtualMachine vm) {
                vm.eventRequestManager()
                        .createBreakpointRequest(
                                type.methodsByName("run").get(0).location())
                        .enable();
            }

            @Override
            public void stopped(ThreadReference thread, Location location, VirtualMachine vm) {
                if (vm.eventRequestManager().stepRequests().isEmpty()) {
                    boolean isRun = location.method().name().equals("run");
                    StepRequest request = vm.eventRequestManager()
                            .createStepRequest(thread, StepRequest.STEP_LINE, StepRequest.STEP_INTO);
                    request.addClassFilter(CLASS); // into its own methods, over everything else
                    request.enable();
                    assertThat(isRun).isTrue();
                }
                seen.add(location.method().name() + ":" + location.lineNumber());
            }
        });
        return seen;
    }

    private interface Listener {
        void prepared(ReferenceType type, VirtualMachine vm) throws Exception;

        void stopped(ThreadReference thread, Location location, VirtualMachine vm) throws Exception;
    }

    private static void debug(String classPath, String agent, Listener listener) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("home").setValue(System.getProperty("java.home"));
        arguments
                .get("options")
                .setValue(agent + " -Xmx256m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp " + classPath);
        arguments.get("main").setValue(GuestProgram.MAIN + " " + CLASS + " 4 7");
        VirtualMachine vm = connector.launch(arguments);
        try {
            ClassPrepareRequest request = vm.eventRequestManager().createClassPrepareRequest();
            request.addClassFilter(CLASS);
            request.enable();
            for (boolean isRunning = true; isRunning; ) {
                EventSet events = vm.eventQueue().remove();
                for (Event event : events) {
                    if (event instanceof ClassPrepareEvent prepared) {
                        listener.prepared(prepared.referenceType(), vm);
                    } else if (event instanceof BreakpointEvent stop) {
                        listener.stopped(stop.thread(), stop.location(), vm);
                    } else if (event instanceof StepEvent stop) {
                        listener.stopped(stop.thread(), stop.location(), vm);
                    }
                    isRunning &= !(event instanceof VMDeathEvent || event instanceof VMDisconnectEvent);
                }
                events.resume();
            }
        } finally {
            vm.process().destroy();
        }
    }

    /** The frame on top: its line, {@code this}, and each variable with its value. */
    private static String describe(ThreadReference thread) throws Exception {
        StackFrame frame = thread.frame(0);
        StringBuilder text = new StringBuilder();
        text.append(frame.location().method().name())
                .append(':')
                .append(frame.location().lineNumber());
        text.append(" under ").append(thread.frame(1).location().method().name());
        ObjectReference self = frame.thisObject();
        text.append(" this=")
                .append(self == null ? "none" : self.referenceType().name());
        for (LocalVariable variable : frame.visibleVariables()) {
            text.append(' ').append(variable.name()).append('=').append(value(frame.getValue(variable)));
        }
        return text.toString();
    }

    private static String value(Value value) {
        if (value instanceof StringReference string) {
            return string.value();
        }
        return value instanceof ObjectReference object ? object.referenceType().name() : String.valueOf(value);
    }
}
