import { showBridgePage } from './bridge-page.ts';
import { showChatPage } from './chat-page.ts';
import { restoreTheme } from './ui/theme.ts';

restoreTheme();
const params = new URLSearchParams(location.hash.slice(1));
await (params.has('bridge') ? showBridgePage(params) : showChatPage());
