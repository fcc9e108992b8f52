package dev.cleave.agent.transform;

import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.CallSetting.Style;
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
        Style style = words[0].equals("-") ? annotated.style() : Style.valueOf(words[0]);
        int otherwise = style == annotated.style() ? annotated.window() : CallSetting.DEFAULT_WINDOW;
        int window = words[1].equals("-") ? otherwise : Integer.parseInt(words[1]);
        boolean hasWindow = style == Style.ASYNC || style == Style.CHAINED;
        return annotated.with(style, hasWindow ? window : 1);
    }
}
