package dev.cleave.agent.transform;

import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.CallSettings;
import java.lang.reflect.InvocationTargetException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The call styles of an application file, which the core reads. */
public final class FileSettings implements CallSettings {

    private final BiFunction<String, String, String> styles;

    private FileSettings(BiFunction<String, String, String> styles) {
        this.styles = styles;
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if it cannot be read or understood, or there is no core that could
     */
    @SuppressWarnings("unchecked") // the core's signature
    public static FileSettings read(String file, ClassLoader core) {
        try {
            Object styles = Class.forName(CoreNames.STYLES_CLASS, true, core)
                    .getMethod("read", String.class)
                    .invoke(null, file);
            return new FileSettings((BiFunction<String, String, String>) styles);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            throw new IllegalArgumentException(cause == null ? file : String.valueOf(cause.getMessage()), cause);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalArgumentException("config: " + file + ": cleave-core is not on the class path", e);
        }
    }

    @Override
    public @Nullable CallSetting of(String interfaceName, String method, CallSetting annotated) {
        String[] words = styles.apply(interfaceName, method).split(" ");
        boolean isAsync =
                words[0].equals("-") ? annotated.style() == CallSetting.Style.ASYNC : words[0].equals("ASYNC");
        if (!isAsync) {
            return CallSetting.SYNC;
        }
        boolean wasAsync = annotated.style() == CallSetting.Style.ASYNC;
        int otherwise = wasAsync ? annotated.window() : CallSetting.DEFAULT_WINDOW;
        return CallSetting.async(words[1].equals("-") ? otherwise : Integer.parseInt(words[1]));
    }
}
