package dev.cleave.agent.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test method that runs twice, as written and rewritten as by the agent, and fails if its evidence differs.
 *
 * <pre>
 *   &#64;BothWays
 *   void ranksAlike(Evidence evidence) {
 *       node.bind("compare", evidence.watched(Compare.class, new SmithWaterman()));
 *       Compare compare = node.lookup("compare", Compare.class);
 *       evidence.add("ranking", new Search(compare).rank(queries));
 *   }
 * </pre>
 *
 * <p>The test needs no {@code -javaagent}. Each way gets an instance of its own of the test class, in a class loader of
 * its own that defines the classes of the program again: the classes in folders of the class path, and those of the
 * named packages. Methods with {@code @BeforeEach} and {@code @AfterEach} run in it as well. The application file that
 * the system property {@code cleave.config} names applies.
 *
 * <p>The values that the test adds to its {@link Evidence} are compared, and the calls that reach watched services.
 * Calls that are {@code @Sync} or {@code @Chained}, and calls of one group, must be the same in the same order; others
 * must be the same in any order, apart from reading calls that were prefetched in vain. The test also fails if no call
 * was sent ahead: such a test shows nothing.
 *
 * <p>Not supported, and refused with a message: inner classes that are not static, {@code @BeforeAll} and
 * {@code @AfterAll}. Values must be injected into parameters, not fields.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(BothWaysExtension.class)
public @interface BothWays {

    /** Packages of the program that are in jars; their subpackages are included. */
    String[] packages() default {};

    /** Whether the test may pass if every call stays sequential. */
    boolean mayStaySequential() default false;

    /**
     * Whether the test makes calls fail, or throws between them. An {@code @Async} call may then have been executed
     * although an exception kept the program from reaching it.
     */
    boolean mayThrow() default false;
}
