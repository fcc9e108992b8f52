package dev.cleave.agent.transform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.ClassFileSource;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is kept for the next class of a loader, and for how long. */
class RewritersTest {

    private final List<String> read = new ArrayList<>();
    private final AtomicInteger made = new AtomicInteger();
    private final byte[] file = required(ClassFileSource.ofResources(null, "java/util/Arrays"));
    private final Rewriters rewriters = new Rewriters(this::rewriter);

    private ClassRewriter rewriter(@Nullable ClassLoader loader) {
        made.incrementAndGet();
        Supplier<@Nullable ClassLoader> held = new WeakReference<>(loader)::get;
        return new ClassRewriter(
                name -> {
                    read.add(name);
                    return ClassFileSource.ofResources(held.get(), name);
                },
                (owner, name, descriptor) ->
                        owner.equals("java/util/function/IntUnaryOperator") ? CallSetting.async(8) : null);
    }

    @Test
    void aLoaderHasOneForAllItsClasses() {
        ClassLoader first = new ClassLoader() {};
        Rewritten once = rewriters.rewrite(first, file);
        int before = read.size();
        Rewritten again = rewriters.rewrite(first, file);
        assertThat(made).hasValue(1);
        assertThat(read.size() - before).isLessThan(before);
        assertThat(again.classFile()).isEqualTo(once.classFile());
        rewriters.rewrite(new ClassLoader() {}, file);
        assertThat(made).hasValue(2);
    }

    @Test
    void redefinitionForgetsAll() {
        ClassLoader loader = new ClassLoader() {};
        rewriters.rewrite(loader, file);
        rewriters.forget();
        rewriters.rewrite(loader, file);
        assertThat(made).hasValue(2);
    }

    @Test
    void aClassWithAnotherFileIsPlannedByItself() {
        ClassLoader loader = new ClassLoader() {};
        Rewritten known = rewriters.rewrite(loader, file);
        byte[] other = known.changed() ? known.classFile() : file;
        assertThat(known.changed()).isTrue();
        rewriters.rewrite(loader, other);
        assertThat(rewriters.rewrite(loader, file).classFile()).isEqualTo(known.classFile());
        assertThat(made).hasValue(1);
    }

    @Test
    void holdsNoLoader() {
        WeakReference<ClassLoader> gone = rewriteWithNewLoader();
        for (int i = 0; i < 50 && gone.get() != null; i++) {
            System.gc();
        }
        assertThat(gone.get()).isNull();
    }

    private WeakReference<ClassLoader> rewriteWithNewLoader() {
        ClassLoader loader = new ClassLoader() {};
        rewriters.rewrite(loader, file);
        return new WeakReference<>(loader);
    }

    private static byte[] required(byte @Nullable [] file) {
        if (file == null) {
            throw new AssertionError("no class file");
        }
        return file;
    }
}
