package dev.cleave.broker.measure;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import jdk.management.jfr.RemoteRecordingStream;

/** A server on this machine that is asked to record large arguments for a while. */
public final class LiveServer {

    private LiveServer() {}

    /**
     * What it does in that time.
     *
     * @param pid the number of its process
     * @throws IOException if it cannot be asked
     */
    public static List<Sample> watch(String pid, Duration time) throws IOException, InterruptedException {
        List<Sample> samples = Collections.synchronizedList(new ArrayList<>());
        try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address(pid)));
                RemoteRecordingStream stream = new RemoteRecordingStream(connector.getMBeanServerConnection())) {
            stream.enable(RecordedRun.EVENT);
            stream.onEvent(RecordedRun.EVENT, event -> samples.add(RecordedRun.sample(event)));
            stream.startAsync();
            stream.awaitTermination(time);
        }
        return List.copyOf(samples);
    }

    private static String address(String pid) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(pid);
            try {
                return machine.startLocalManagementAgent();
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IOException("process " + pid + ": " + e.getMessage()
                    + " (expected: a JVM of this user on this machine; or give a recording of it)", e);
        }
    }
}
