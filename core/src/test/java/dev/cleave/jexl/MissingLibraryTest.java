package dev.cleave.jexl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cleave.call.ExpressionLanguage;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who uses an expression without the library is told what to add. */
class MissingLibraryTest {

    @Test
    void namesWhatToAdd() throws Exception {
        List<URL> path = new ArrayList<>();
        for (String element : System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(File.pathSeparator)) {
            if (!element.contains("commons-jexl3")) {
                path.add(new File(element).toURI().toURL());
            }
        }
        try (URLClassLoader without =
                new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Method installed = Class.forName(ExpressionLanguage.class.getName(), true, without)
                    .getDeclaredMethod("installed", String.class);
            installed.setAccessible(true);

            Throwable thrown = catchThrowable(() -> installed.invoke(null, "Work.run: affinity \"job\""));

            assertThat(thrown)
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Work.run: affinity \"job\": no expression language"
                            + " (add org.apache.commons:commons-jexl3 to the class path)");
        }
    }
}
