package dev.cleave.agent.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Async;
import dev.cleave.Chained;
import dev.cleave.OneWay;
import dev.cleave.Pure;
import dev.cleave.ReadOnly;
import dev.cleave.Remote;
import dev.cleave.Sync;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

@Tag("one-jdk")
class RemoteInterfaceIndexTest {

    private final ClassLoader loader = getClass().getClassLoader();
    private final RemoteInterfaceIndex index =
            new RemoteInterfaceIndex(ClassFileSource::ofResources, CallSettings.NONE);

    @Remote
    interface Mixed {
        int plain();

        @Async(window = 8)
        int async();

        @Pure
        int pure();

        @Sync
        @ReadOnly
        int syncReadOnly();

        @Async
        CompletableFuture<Integer> future();

        default int local() {
            return 1;
        }

        static int fixed() {
            return 2;
        }
    }

    @Remote
    interface Particular {
        @Async(group = "stock", speculative = true, window = 5)
        int guess();

        @Chained(window = 9)
        void put();

        @OneWay
        void tell();

        @ReadOnly(maxAge = "1500ms")
        int get();

        @ReadOnly(maxAge = "soon")
        int odd();
    }

    @Async(window = 3)
    @Remote
    interface AllAsync {
        int speaksForAll();

        @Sync
        int exceptMe();
    }

    interface Below extends Mixed {
        @Override
        @Async(window = 2)
        int plain();
    }

    interface OverRmi extends java.rmi.Remote {
        int call();
    }

    interface Ordinary {
        int call();
    }

    @Test
    void readsTheStyleOfEachMethod() {
        assertThat(setting(Mixed.class, "plain")).isEqualTo(CallSetting.SYNC);
        assertThat(setting(Mixed.class, "async")).isEqualTo(CallSetting.async(8));
        assertThat(setting(Mixed.class, "pure"))
                .isEqualTo(CallSetting.async(CallSetting.AUTOMATIC_WINDOW).with(Reading.PURE));
        assertThat(setting(Mixed.class, "syncReadOnly"))
                .isEqualTo(CallSetting.SYNC.with(Reading.readOnly(Duration.ZERO)));
    }

    @Test
    void readsTheParticularsOfEachStyle() {
        assertThat(setting(Particular.class, "guess"))
                .isEqualTo(new CallSetting(CallSetting.Style.ASYNC, 5, true, "stock", Reading.NONE));
        assertThat(index.call(loader, name(Particular.class), "put", "()V"))
                .isEqualTo(CallSetting.of(CallSetting.Style.CHAINED, 9));
        assertThat(index.call(loader, name(Particular.class), "tell", "()V"))
                .isEqualTo(CallSetting.of(CallSetting.Style.ONE_WAY, 1));
        assertThat(setting(Particular.class, "get").reading()).isEqualTo(Reading.readOnly(Duration.ofMillis(1500)));
        assertThat(setting(Particular.class, "odd").reading()).isEqualTo(Reading.readOnly(Duration.ZERO));
    }

    @Test
    void methodsThatReturnFuturesStayWhereTheyAre() {
        assertThat(index.call(loader, name(Mixed.class), "future", "()Ljava/util/concurrent/CompletableFuture;"))
                .isEqualTo(CallSetting.SYNC);
    }

    @Test
    void defaultAndStaticMethodsAreNotRemote() {
        assertThat(setting(Mixed.class, "local")).isNull();
        assertThat(setting(Mixed.class, "fixed")).isNull();
    }

    @Test
    void styleOfTheInterfaceSpeaksForMethodsWithoutOne() {
        assertThat(setting(AllAsync.class, "speaksForAll")).isEqualTo(CallSetting.async(3));
        assertThat(setting(AllAsync.class, "exceptMe")).isEqualTo(CallSetting.SYNC);
    }

    @Test
    void inheritsFromRemoteInterfacesAboveAndRedeclarationWins() {
        assertThat(setting(Below.class, "plain")).isEqualTo(CallSetting.async(2));
        assertThat(setting(Below.class, "async")).isEqualTo(CallSetting.async(8));
    }

    @Test
    void acceptsInterfacesOfRmi() {
        assertThat(setting(OverRmi.class, "call")).isEqualTo(CallSetting.SYNC);
    }

    @Test
    void otherInterfacesAndClassesAreNotRemote() {
        assertThat(index.find(loader, name(Ordinary.class))).isNull();
        assertThat(index.find(loader, name(RemoteInterfaceIndexTest.class))).isNull();
        assertThat(index.find(loader, "no/such/Interface")).isNull();
        assertThat(index.find(loader, "java/util/List")).isNull();
    }

    @Test
    void applicationFileOutweighsAnnotations() {
        RemoteInterfaceIndex set = new RemoteInterfaceIndex(
                ClassFileSource::ofResources,
                (type, method, annotated) ->
                        type.equals(Mixed.class.getName()) && method.equals("async") ? CallSetting.SYNC : null);

        assertThat(set.call(loader, name(Mixed.class), "async", "()I")).isEqualTo(CallSetting.SYNC);
        assertThat(set.call(loader, name(Mixed.class), "pure", "()I"))
                .isEqualTo(CallSetting.async(CallSetting.AUTOMATIC_WINDOW).with(Reading.PURE));
    }

    @Test
    void readsEachFileOnceHitOrMiss() {
        AtomicInteger reads = new AtomicInteger();
        RemoteInterfaceIndex counting = new RemoteInterfaceIndex(
                (from, name) -> {
                    reads.incrementAndGet();
                    return ClassFileSource.ofResources(from, name);
                },
                CallSettings.NONE);

        for (int i = 0; i < 3; i++) {
            counting.find(loader, name(Mixed.class));
            counting.find(loader, name(Ordinary.class));
        }

        assertThat(reads).hasValue(2);
    }

    @Test
    void believesWhatACompilerWroteDownAndOpensWhatItDidNotName(@TempDir Path folder) throws IOException {
        Path index = folder.resolve("META-INF/cleave/interfaces");
        Files.createDirectories(index.getParent());
        Files.writeString(index, "remote " + AllAsync.class.getName() + "\nlocal  " + Mixed.class.getName() + "\n");
        Path jar = folder.resolve("classes.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("META-INF/cleave/interfaces"));
            Files.copy(index, out);
        }
        RemoteInterfaceIndex told = RemoteInterfaceIndex.ofLoaders(CallSettings.NONE);
        try (URLClassLoader child = new URLClassLoader(new URL[] {folder.toUri().toURL()}, loader)) {
            assertThat(told.find(child, name(Mixed.class)))
                    .as("a folder's index may be old")
                    .isNotNull();
        }
        try (URLClassLoader child = new URLClassLoader(new URL[] {jar.toUri().toURL()}, loader)) {
            assertThat(told.find(child, name(AllAsync.class))).isNotNull();
            assertThat(told.find(child, name(Mixed.class))).isNull();
            assertThat(told.find(child, name(Below.class))).isNotNull();
            assertThat(told.find(loader, name(Mixed.class))).isNotNull();
        }
    }

    @Test
    void nothingIsRemoteForALoaderWithoutTheCore() throws IOException {
        RemoteInterfaceIndex told = RemoteInterfaceIndex.ofLoaders(CallSettings.NONE);
        ClassLoader bare = new ClassLoader(loader) {
            @Override
            public URL getResource(String name) {
                return name.startsWith("dev/cleave/Remote") ? null : super.getResource(name);
            }
        };

        assertThat(told.find(bare, name(AllAsync.class))).isNull();
        assertThat(told.find(loader, name(AllAsync.class))).isNotNull();
    }

    @Test
    void scannerFindsCallersAndOnlyThem() {
        RemoteCallScanner scanner = new RemoteCallScanner(index, ClassFileSource.OF_LOADERS);

        assertThat(scanner.callsRemote(loader, bytes(Caller.class))).isTrue();
        assertThat(scanner.callsRemote(loader, bytes(Bystander.class))).isFalse();
        assertThat(scanner.callsRemote(loader, new byte[] {1, 2, 3})).isFalse();
        assertThat(scanner.callsRemote(loader, cutShort(bytes(Caller.class)))).isFalse();
    }

    @Test
    void scannerFindsCallersOfCallersAndReadsEachClassOnce() {
        Map<String, byte[]> program = new HashMap<>();
        program.put("shop/Caller", classFile("shop/Caller", "java/lang/Object", name(Mixed.class)));
        program.put("shop/Bystander", classFile("shop/Bystander", "java/lang/Object", name(Ordinary.class)));
        List<String> read = new ArrayList<>();
        ClassFileSource counting = (of, name) -> {
            read.add(name);
            return program.get(name);
        };
        RemoteCallScanner scanner = new RemoteCallScanner(index, counting);
        byte[] callerOfCaller = classFile("shop/A", "java/lang/Object", "shop/Bystander", "shop/Caller");

        for (int i = 0; i < 2; i++) {
            assertThat(scanner.concerns(loader, "shop/A", callerOfCaller, RemoteCallScanner.Sight.ALWAYS))
                    .isTrue();
            assertThat(scanner.concerns(
                            loader, "shop/Heir", classFile("shop/Heir", "shop/Caller"), RemoteCallScanner.Sight.ALWAYS))
                    .isTrue();
            assertThat(scanner.concerns(
                            loader,
                            "shop/B",
                            classFile("shop/B", "java/lang/Object", "shop/Bystander", "shop/A"),
                            RemoteCallScanner.Sight.ALWAYS))
                    .as("two steps away")
                    .isFalse();
        }
        assertThat(read).containsExactlyInAnyOrder("shop/Caller", "shop/Bystander");
        assertThat(new RemoteCallScanner(index, counting).concerns(loader, "shop/A", callerOfCaller, from -> false))
                .as("where nothing is worth reading")
                .isFalse();
    }

    private static byte[] classFile(String name, String above, String... called) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, name, null, above, null);
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_STATIC, "run", "()V", null, null);
        for (String owner : called) {
            boolean isOurs = owner.startsWith("dev/");
            code.visitMethodInsn(
                    isOurs ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKESTATIC, owner, "async", "()I", isOurs);
        }
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(1, 0);
        writer.visitEnd();
        return writer.toByteArray();
    }

    static final class Caller {
        int call(Mixed mixed) {
            return mixed.async();
        }
    }

    static final class Bystander {
        int call(List<String> list, Ordinary ordinary) {
            return list.size() + ordinary.call();
        }
    }

    private CallSetting setting(Class<?> type, String method) {
        return index.call(loader, name(type), method, "()I");
    }

    private static String name(Class<?> type) {
        return type.getName().replace('.', '/');
    }

    private byte[] bytes(Class<?> type) {
        return ClassFileSource.ofResources(loader, name(type));
    }

    private static byte[] cutShort(byte[] file) {
        return Arrays.copyOf(file, 40);
    }
}
