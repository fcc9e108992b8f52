package dev.cleave.agent.premain;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Retransforms classes that were loaded before the agent, for example from a cache of linked classes. */
final class EarlierClasses {

    private EarlierClasses() {}

    /** Retransforms the loaded classes that make remote calls, and reports that in one line. */
    static void retransform(Instrumentation instrumentation, CallTransformer transformer, Consumer<String> messages) {
        List<Class<?>> concerned = new ArrayList<>();
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            ClassLoader loader = loaded.getClassLoader();
            if (loader == null || loaded.isArray() || loaded.isHidden()) {
                continue;
            }
            String name = loaded.getName().replace('.', '/');
            if (instrumentation.isModifiableClass(loaded) && transformer.concerns(loader, name)) {
                concerned.add(loaded);
            }
        }
        if (concerned.isEmpty()) {
            return;
        }
        String failures = "";
        for (Class<?> each : concerned) {
            try {
                instrumentation.retransformClasses(each);
            } catch (UnmodifiableClassException | LinkageError | UnsupportedOperationException e) {
                failures = "; " + each.getName() + " is left as it is: " + e;
            }
        }
        String first = concerned.get(0).getName();
        String count = concerned.size() == 1 ? "1 class" : concerned.size() + " classes";
        messages.accept("cleave agent: " + count + " with remote calls, such as " + first
                + ", loaded before the agent and rewritten in place" + failures);
    }
}
