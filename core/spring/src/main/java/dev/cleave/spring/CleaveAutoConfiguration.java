package dev.cleave.spring;

import dev.cleave.intercept.ClientInterceptor;
import dev.cleave.intercept.ContextCarrier;
import dev.cleave.intercept.Interceptors;
import dev.cleave.intercept.ServerInterceptor;
import dev.cleave.node.Node;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Connects a node, binds beans to it, and injects stubs. */
@AutoConfiguration
@ConditionalOnProperty(name = "cleave.enabled", matchIfMissing = true)
@EnableConfigurationProperties(CleaveProperties.class)
public class CleaveAutoConfiguration {

    /** The broker of {@code cleave.in-process}. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(Node.class)
    @ConditionalOnProperty(name = "cleave.in-process", havingValue = "true")
    CleaveNodes.InProcessBroker cleaveBroker() {
        return new CleaveNodes.InProcessBroker();
    }

    /**
     * The node of the application; an application that has one of its own keeps it. Beans that are interceptors or carriers
     * stand around all its calls, in the order of {@link org.springframework.core.annotation.Order}.
     */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Node cleaveNode(
            CleaveProperties properties,
            ObjectProvider<ClientInterceptor> clients,
            ObjectProvider<ServerInterceptor> servers,
            ObjectProvider<ContextCarrier> carriers,
            ObjectProvider<CleaveNodeCustomizer> customizers,
            ObjectProvider<CleaveNodes.InProcessBroker> broker) {
        CleaveNodes.InProcessBroker inProcess = broker.getIfAvailable();
        return CleaveNodes.connect(
                properties,
                new Interceptors(
                        clients.orderedStream().toList(),
                        servers.orderedStream().toList(),
                        carriers.orderedStream().toList()),
                customizers.orderedStream().toList(),
                inProcess == null ? null : inProcess.endpoint());
    }

    @Bean
    CleaveStubs cleaveStubs(Node node) {
        return new CleaveStubs(node);
    }

    @Bean
    CleaveServices cleaveServices(Node node, ListableBeanFactory beans) {
        return new CleaveServices(node, beans);
    }

    @Bean
    static ReferenceResolver.Installer cleaveReferenceResolver() {
        return new ReferenceResolver.Installer();
    }
}
