package dev.cleave.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.RemoteCallScanner;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/** What the agent costs every class that is loaded and calls nothing remote. */
class PrefilterTest {

    private static final int ROUNDS = 400;
    private static final double MOST_MICROS = 3;

    private static boolean hasBothCompilers() {
        return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("TieredStopAtLevel")
                .getValue()
                .equals("4");
    }

    @Test
    void aClassWithoutRemoteCallsCostsMicroseconds() throws IOException {
        assumeTrue(hasBothCompilers(), "as a program runs");
        List<byte[]> classFiles = new ArrayList<>();
        Map<String, byte[]> byName = new HashMap<>();
        for (Path jar : List.of(GuestJars.kotlin(), GuestJars.springBootLoader())) {
            try (ZipFile zip = new ZipFile(jar.toFile())) {
                for (ZipEntry entry : zip.stream().toList()) {
                    if (entry.getName().endsWith(".class")) {
                        byte[] classFile = zip.getInputStream(entry).readAllBytes();
                        classFiles.add(classFile);
                        byName.put(
                                entry.getName().substring(0, entry.getName().length() - ".class".length()), classFile);
                    }
                }
            }
        }
        assertThat(classFiles).hasSizeGreaterThan(1_000);
        RemoteCallScanner scanner = new RemoteCallScanner(
                RemoteInterfaceIndex.ofLoaders(CallSettings.NONE), (of, name) -> byName.get(name));
        ClassLoader loader = PrefilterTest.class.getClassLoader();

        double best = Double.MAX_VALUE;
        int remote = 0;
        ThreadMXBean threads = ManagementFactory.getThreadMXBean(); // processor time: others may be busy beside it
        for (int round = 0; round < ROUNDS && best > MOST_MICROS / 2; round++) {
            long begun = threads.getCurrentThreadCpuTime();
            for (byte[] classFile : classFiles) {
                remote += scanner.concerns(loader, null, classFile, RemoteCallScanner.Sight.ALWAYS) ? 1 : 0;
            }
            best = Math.min(best, (threads.getCurrentThreadCpuTime() - begun) / 1_000.0 / classFiles.size());
        }

        assertThat(remote).isZero();
        assertThat(best)
                .as("microseconds of processor time a class, in the best round")
                .isLessThanOrEqualTo(MOST_MICROS);
        System.out.printf("prefilter: %.2f us a class over %d classes%n", best, classFiles.size());
    }
}
